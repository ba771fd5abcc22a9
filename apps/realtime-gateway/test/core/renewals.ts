import type { PastItem } from '@parley/protocol';
import { clientRoute } from '#src/core/client-routes.js';
import { providerRoute } from '#src/core/provider-routes.js';
import type { Effect, Input, SessionState } from '#src/core/session.js';
import { step } from '#src/core/step.js';
import { running, settings, text } from './settings.js';

type Item = { id?: string; type: string; call_id?: string; name?: string; role?: string };
type Sent = { type: string; event_id?: string; item?: Item };
type Told = { type: string; item?: Item; response?: { id: string; status?: string } };

/** One connection to the provider: what it knows of the conversation, and has still to say. */
class Leg {
  readonly items = new Map<string, Item>();
  readonly outputs = new Map<string, number>();
  readonly says: object[] = [];
  active: string | undefined;
}

export const actions = [
  ...['type', 'deliver', 'deliver', 'deliver', 'call', 'call', 'complete', 'finish', 'answer'],
  ...['speak', 'commit', 'stale', 'lose', 'silent', 'expire', 'refuse', 'late', 'soon', 'now'],
  ...['read', 'unread', 'redial'],
] as const;
export type Action = (typeof actions)[number];

/** A session, its providers, its tools and its record, which may do anything at any time. */
export class Renewals {
  readonly problems: string[] = [];
  renewed = 0;
  state: SessionState = {
    ...running,
    settings: { ...settings, connectionIds: ['a', 'b'], providerRenewals: 1e9 },
  };
  readonly #legs = new Map<number, Leg>([[1, new Leg()]]);
  #pending: { leg: number } | undefined;
  #count = 0;
  #now = 0;
  readonly #record: PastItem[] = [];
  readonly #tools = new Set<string>();
  readonly #clients = new Set<string>();
  readonly #names = new Map<string, { name: string; itemId: string }>();
  readonly #answered = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #begun = new Set<string>();
  readonly #ended = new Set<string>();

  act(action: Action): void {
    this.#actions[action]();
  }

  /** Nothing fails any more, and everything in progress ends. */
  settle(): void {
    for (let round = 0; round < 60; round += 1) {
      this.act('redial');
      this.act('read');
      for (let n = 0; n < 20; n += 1) this.act('deliver');
      this.act('finish');
      this.act('answer');
      this.act('commit');
      this.act('complete');
    }
    if (this.state.phase !== 'running') this.problems.push(`it is still ${this.state.phase}`);
    for (const callId of this.#answered)
      if (this.#leg.outputs.get(callId) !== 1) this.problems.push(`${callId} has no output`);
    for (const id of this.#begun)
      if (!this.#ended.has(id)) this.problems.push(`${id} has no end for the client`);
  }

  get #leg(): Leg {
    const { leg } = this.state.side;
    return this.#legs.get(leg) ?? new Leg();
  }

  readonly #actions: Readonly<Record<Action, () => void>> = {
    type: () => {
      const content = [{ type: 'input_text', text: `text ${(this.#count += 1)}` }];
      this.#client({
        type: 'conversation.item.create',
        item: { type: 'message', role: 'user', content },
      });
      this.#client({ type: 'response.create' });
    },
    deliver: () => {
      const { leg } = this.state.side;
      const frame = this.#leg.says.shift();
      if (frame) this.#say(leg, frame);
    },
    stale: () => {
      const former = [...this.#legs.keys()].filter((leg) => leg !== this.state.side.leg);
      for (const leg of former.slice(-1)) {
        const before = this.state;
        const item = { id: `stale ${(this.#count += 1)}`, type: 'message', role: 'assistant' };
        this.#say(leg, { type: 'conversation.item.added', item });
        this.#happens({ kind: 'provider.closed', leg, code: 1006, reason: '' });
        if (this.state !== before) this.problems.push('a former side is heard');
      }
    },
    call: () => {
      const leg = this.#leg;
      if (leg.active === undefined) return;
      const n = (this.#count += 1);
      const name = n % 3 === 0 ? 'show_map' : 'lookup';
      const [call_id, id] = [`call ${n}`, `item ${n}`];
      leg.items.set(id, { id, type: 'function_call', call_id, name });
      this.#names.set(call_id, { name, itemId: id });
      const fields = { response_id: leg.active, item_id: id, call_id, name, arguments: '{}' };
      leg.says.push({ type: 'response.function_call_arguments.done', ...fields });
    },
    complete: () => {
      const leg = this.#leg;
      if (leg.active === undefined) return;
      const response = { id: leg.active, status: 'completed', output: [] };
      leg.says.push({ type: 'response.done', response });
      leg.active = undefined;
    },
    speak: () =>
      this.#leg.says.push({ type: 'input_audio_buffer.speech_started', item_id: 'spoken' }),
    commit: () => {
      if (this.state.turn.user !== 'speaks') return;
      const id = `user ${(this.#count += 1)}`;
      const leg = this.#leg;
      leg.says.push({ type: 'input_audio_buffer.committed', item_id: id });
      if (leg.active === undefined) this.#begin(leg);
    },
    finish: () => {
      const [callId] = this.#tools;
      if (callId === undefined) return;
      this.#tools.delete(callId);
      this.#remember(callId);
      this.#happens({ kind: 'call.finished', callId, output: 'result' });
    },
    answer: () => {
      const [call_id] = this.#clients;
      if (call_id === undefined) return;
      this.#clients.delete(call_id);
      const item = { type: 'function_call_output', call_id, output: 'mine' };
      this.#client({ type: 'conversation.item.create', item });
      this.#client({ type: 'response.create' });
    },
    lose: () => this.#happens({ ...this.#of, kind: 'provider.closed', code: 1006, reason: '' }),
    silent: () => {
      if (this.state.phase === 'running') this.#happens({ ...this.#of, kind: 'provider.silent' });
    },
    expire: () => {
      if (this.state.phase === 'running')
        this.#say(this.state.side.leg, { type: 'error', error: { code: 'session_expired' } });
    },
    refuse: () => {
      if (this.state.side.renewal?.step === 'greeting')
        this.#happens({ ...this.#of, kind: 'provider.refused', reason: 'HTTP 503' });
    },
    late: () => {
      if (this.state.phase === 'renewing') this.#fire('ready');
    },
    soon: () => this.#fire('renew_soon'),
    now: () => this.#fire('renew_now'),
    redial: () => {
      if (this.state.side.renewal?.step === 'waiting') this.#fire('redial');
    },
    read: () => {
      const pending = this.#pending;
      this.#pending = undefined;
      if (pending) this.#happens({ ...pending, kind: 'record.read', past: [...this.#record] });
    },
    unread: () => {
      const pending = this.#pending;
      this.#pending = undefined;
      if (pending) this.#happens({ ...pending, kind: 'record.unread' });
    },
  };

  get #of() {
    return { leg: this.state.side.leg };
  }

  #fire(timer: Extract<Input, { kind: 'timer.fired' }>['timer']): void {
    this.#happens({ kind: 'timer.fired', timer });
  }

  #client(event: object): void {
    const frame = text(event);
    const route = clientRoute(frame.data, false);
    this.#happens({ kind: 'client.frame', route, frame, now: (this.#now += 10) });
  }

  #say(leg: number, event: object): void {
    const frame = text(event);
    const route = providerRoute(frame.data, false);
    this.#happens({ kind: 'provider.frame', leg, route, frame, now: (this.#now += 10) });
  }

  #happens(input: Input): void {
    const { state, effects } = step(this.state, input);
    this.state = state;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: Effect): void {
    const { leg } = this.state.side;
    if (effect.kind === 'dial') {
      const fresh = new Leg();
      fresh.says.push({ type: 'session.created', session: {} });
      this.#legs.set(leg, fresh);
    } else if (effect.kind === 'read_record') this.#pending = { leg };
    else if (effect.kind === 'renewed') this.renewed += 1;
    else if (effect.kind === 'start_call') this.#tools.add(effect.call.callId);
    else if (effect.kind === 'arm_timer' && effect.timer.startsWith('call '))
      this.#clients.add(effect.timer.slice(5));
    else if (effect.kind === 'record') this.#note(effect.message);
    else if (effect.kind === 'send_client')
      this.#hear(JSON.parse(String(effect.frame.data)) as Told);
    else if (effect.kind === 'send_provider')
      this.#take(JSON.parse(String(effect.frame.data)) as Sent);
  }

  #note({ role, content, itemId, position }: Extract<Effect, { kind: 'record' }>['message']): void {
    if (content === '') return;
    const id = itemId === null ? {} : { itemId };
    this.#record.push({ kind: 'message', role, content, position, ...id });
  }

  #remember(callId: string): void {
    const { name, itemId } = this.#names.get(callId) ?? { name: '', itemId: '' };
    this.#answered.add(callId);
    this.#record.push({ kind: 'call', callId, itemId, name, arguments: '{}', output: 'result' });
  }

  #hear({ type, item, response }: Told): void {
    if (type === 'response.created' && response) this.#begun.add(response.id);
    if (type === 'response.done' && response) {
      if (this.#ended.has(response.id)) this.problems.push(`${response.id} ends twice`);
      this.#ended.add(response.id);
    }
    if (type !== 'conversation.item.added') return;
    const id = item?.id ?? '';
    if (this.#seen.has(id)) this.problems.push(`the client sees ${id} acknowledged twice`);
    this.#seen.add(id);
  }

  /** What the provider makes of an event. */
  #take({ type, event_id, item }: Sent): void {
    const leg = this.#leg;
    if (type === 'session.update') leg.says.push({ type: 'session.updated', session: {} });
    if (type === 'conversation.item.create' && item) this.#add(leg, item);
    if (type !== 'response.create') return;
    const error = { code: 'conversation_already_has_active_response', event_id };
    if (leg.active !== undefined) leg.says.push({ type: 'error', error });
    else this.#begin(leg);
  }

  #begin(leg: Leg): void {
    leg.active = `response ${(this.#count += 1)}`;
    leg.says.push({ type: 'response.created', response: { id: leg.active } });
  }

  #add(leg: Leg, item: Item): void {
    const id = item.id ?? `given ${(this.#count += 1)}`;
    if (leg.items.has(id)) this.problems.push(`${id} is sent twice`);
    leg.items.set(id, item);
    const { type, call_id = '' } = item;
    if (type === 'function_call_output') {
      const calls = [...leg.items.values()].filter((one) => one.type === 'function_call');
      if (!calls.some((call) => call.call_id === call_id))
        this.problems.push(`${call_id} is unknown to its provider`);
      leg.outputs.set(call_id, (leg.outputs.get(call_id) ?? 0) + 1);
      if (leg.outputs.get(call_id) !== 1) this.problems.push(`${call_id} has two outputs`);
    }
    const added = { ...item, id };
    leg.says.push({ type: 'conversation.item.added', item: added });
    leg.says.push({ type: 'conversation.item.done', item: added });
  }
}
