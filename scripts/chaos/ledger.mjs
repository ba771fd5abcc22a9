// What the population was told and has done, in exact numbers: the promises are checked against it.
export class Ledger {
  /** Every session token: its path, and how often it opened a session. */
  tokens = [];
  /** The messages that clients were told are stored: id → content, if it was told. */
  announced = new Map();
  /** Announced to the same client a second time. */
  repeated = [];
  /** Each bill is paid by one call: bill → how it was decided, if that was accepted. */
  bills = new Map();
  /** Each write has its own key: title → the id that it was accepted with, if it was. */
  writes = new Map();
  /** Questions that were accepted: the id of the message that the answer becomes. */
  questions = new Set();
  /** Turns that nobody answered in time: client and number. */
  forgotten = [];
  /** What nobody should get. */
  surprises = [];
  /** Error events, by code. */
  errors = new Map();
  #heard = new WeakMap();

  token(path) {
    const token = { path, opened: 0 };
    this.tokens.push(token);
    return token;
  }

  /** A new bill, whose call is to be decided like this. */
  bill(name, wish) {
    this.bills.set(name, { wish, accepted: undefined });
    return name;
  }

  hear(client, { type, data, error }) {
    const ids = this.#heard.get(client) ?? new Set();
    this.#heard.set(client, ids);
    const announce = ({ id, content }, kind = type) => {
      if (ids.has(kind + id)) this.repeated.push(`${kind} of ${id} to ${client.name}`);
      ids.add(kind + id);
      this.announced.set(id, content ?? this.announced.get(id));
    };
    if (type === 'message.created' || type === 'response.id') announce(data);
    if (type === 'response.function_invocation.done') announce({ id: data.id });
    if (type !== 'error') return;
    const code = error.code ?? error.type ?? 'unknown';
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}
