// One end user: a session, resumable or not, that is kept alive by the rules of the docs page "Lost
// connections". It writes what it was told into the ledger.
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { mayRetry } from './rest.mjs';

/** They belong to one connection, and do not count. */
const asides = new Set(['session.resumable', 'session.resumed', 'session.moving']);
const ackEvery = 20;
const openMs = 30_000;
/** Somebody who gets no answer says it again, and then gives up. */
const patienceMs = 20_000;
const patience = 3;
/** Longer than the grace of a session. */
const resumeMs = 60_000;
const final = new Set([1000, 4400, 4408, 4409, 4412, 4413]);

export class Client {
  restores = 0;
  resumes = 0;
  renewals = 0;
  turns = 0;
  /** What each call is for. */
  billOf = new Map();
  /** How the session ended: a close code, or why it could not be resumed. */
  end;
  #stage;
  #ledger;
  #socket;
  #path = '';
  #received = 0;
  #sent = [];
  #connected = false;
  #over = deferred();
  #listeners = new Set();
  #leaving = false;
  #awaySince;

  constructor({ name, resumable, random, stage, ledger }) {
    Object.assign(this, { name, resumable, random });
    this.#stage = stage;
    this.#ledger = ledger;
  }

  get isOpen() {
    return this.end === undefined;
  }

  /** Opens a new session. False if it was refused, with the reason in `end`. */
  async open() {
    const body = { resumable: this.resumable };
    const path = `/Agent/${this.#stage.agentId}/realtime-session`;
    const issued = await this.#stage.ask('POST', path, { body });
    if (issued.status !== 200 && !mayRetry(issued))
      this.#ledger.surprises.push(`${issued.status} instead of a session`);
    if (issued.status !== 200) return this.#finish(`not issued: ${issued.status}`);
    this.conversationId = issued.body.conversationId;
    this.token = this.#ledger.token(issued.body.webSocketPath);
    const opened = this.#connect(issued.body.webSocketPath);
    const ready = this.event((event) => event.type === 'session.updated', openMs);
    const failed = await Promise.race([opened.then(() => ready), this.#over.promise]).then(
      () => this.end,
      () => this.end ?? 'no session.updated',
    );
    if (failed !== undefined) return this.#finish(failed);
    this.token.opened += 1;
    return true;
  }

  /** One turn, said again if nobody answers. False if the session ended, or no answer came. */
  async turn(words = () => `${this.name}-${this.turns} !say Number ${this.turns}.`) {
    this.turns += 1;
    for (let attempt = 0; attempt < patience && this.isOpen; attempt += 1) {
      const restores = this.restores;
      const answered = this.event(isAnswer, patienceMs, () => this.restores > restores);
      this.say(words(attempt));
      if (await answered.then(Boolean, () => false)) return true;
    }
    if (this.isOpen) this.#ledger.forgotten.push({ client: this, turn: this.turns });
    return false;
  }

  say(text) {
    const content = [{ type: 'input_text', text }];
    const item = { type: 'message', role: 'user', content };
    this.send({ type: 'conversation.item.create', item });
    this.send({ type: 'response.create' });
  }

  send(event) {
    const text = JSON.stringify(event);
    this.#sent.push(text);
    if (this.#connected) this.#socket.send(text);
  }

  /**
   * The next such event. Undefined if `obsolete` says that it cannot come any more; rejects when the
   * session is over, or after so long.
   */
  event(matches, timeoutMs, obsolete = () => false) {
    return new Promise((resolve, reject) => {
      const end = (settle, value) => {
        clearTimeout(timer);
        this.#listeners.delete(hear);
        settle(value);
      };
      const timer = setTimeout(() => end(reject, new Error('in time')), timeoutMs);
      const hear = (event) => {
        if (obsolete()) end(resolve, undefined);
        else if (event !== undefined && matches(event)) end(resolve, event);
      };
      this.#listeners.add(hear);
      void this.#over.promise.then(() => end(reject, new Error('over')));
    });
  }

  async leave() {
    this.#leaving = true;
    if (!this.isOpen) return;
    this.#socket.close(1000);
    await Promise.race([this.#over.promise, delay(10_000, undefined, { ref: false })]);
    this.#socket.terminate();
    this.#finish(1000);
  }

  /** Resolves when the socket is open; what goes wrong ends up in #closed or #refused. */
  #connect(path) {
    const socket = new WebSocket(this.#stage.origin.replace('http', 'ws') + path, {
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    });
    this.#socket = socket;
    const opened = deferred();
    let refusal;
    socket.on('unexpected-response', (_request, response) => {
      refusal = response.statusCode;
      socket.terminate();
    });
    socket.on('error', () => {});
    socket.on('open', () => {
      this.#connected = !this.#isComingBack;
      opened.resolve(true);
    });
    socket.on('message', (data, binary) => {
      if (this.#socket === socket) this.#hear(data, binary);
    });
    socket.on('close', (code) => {
      opened.resolve(false);
      if (this.#socket !== socket) return;
      this.#connected = false;
      this.#lost(refusal === undefined ? code : `refused ${refusal}`);
    });
    return opened.promise;
  }

  get #isComingBack() {
    return this.#path !== '';
  }

  #lost(how) {
    const isOver = !this.#isComingBack || this.#leaving || final.has(how) || how === 'refused 400';
    if (isOver) this.#finish(this.#leaving ? 1000 : how);
    else void this.#comeBack(how);
  }

  /** Tries until it has a connection; its close leads here again. */
  async #comeBack(how) {
    this.#awaySince ??= Date.now();
    if (Date.now() - this.#awaySince > resumeMs) return this.#finish(`not resumed after ${how}`);
    await delay(this.random.between(100, 500));
    if (this.isOpen && !this.#leaving)
      void this.#connect(`${this.#path}&received=${this.#received}`);
    else this.#finish(1000);
  }

  #finish(how) {
    this.end ??= how;
    this.#over.resolve();
    return false;
  }

  #hear(data, binary) {
    const event = binary ? {} : eventIn(data.toString());
    if (asides.has(event.type)) this.#takeAside(event);
    else {
      this.#received += 1;
      if (this.#isComingBack && this.#received % ackEvery === 0)
        this.#socket.send(JSON.stringify({ type: 'session.ack', received: this.#received }));
      this.#ledger.hear(this, event);
    }
    if (event.type === 'session.renewed') this.renewals += 1;
    if (event.type === 'response.function_invocation.start')
      this.billOf.set(event.data.callId, event.data.arguments.bill);
    for (const listener of this.#listeners) listener(event);
  }

  #takeAside({ type, data }) {
    if (type !== 'session.resumed') this.#path = data.resumePath;
    if (type === 'session.moving') this.#socket.terminate();
    if (type !== 'session.resumed') return;
    this.#awaySince = undefined;
    this.resumes += 1;
    if (data.restored === 'history') {
      this.restores += 1;
      this.#received = 0;
      this.#sent = [];
    }
    this.#connected = true;
    for (const text of this.#sent.slice(data.received)) this.#socket.send(text);
  }
}

/** What is no event is passed on, too, and counts like one. */
function eventIn(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

/** A response that said something; one that only calls tools is followed by another. */
function isAnswer({ type, response }) {
  return (
    type === 'response.done' &&
    response.status === 'completed' &&
    response.output.some((item) => item.type === 'message')
  );
}
