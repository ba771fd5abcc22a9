import { expect } from 'chai';
import { Dialogue } from './dialogue.js';

type Made = { readonly name: string; output: number | undefined };
type Response = {
  readonly id: string;
  readonly createdAt: number;
  readonly calls: Map<string, Made>;
  status: 'in_progress' | 'completed' | 'cancelled';
};
type Sent = { type: string; event_id?: string; item?: { call_id: string } };

/**
 * A provider as strict as the real one, at the end of a slow wire, with a user who speaks whenever he likes, and a client
 * that answers its own tools. Chance decides what happens next.
 */
class World {
  readonly dialogue = new Dialogue();
  readonly responses: Response[] = [];
  readonly problems: string[] = [];
  /** Creates of the service that the provider took. */
  taken = 0;
  clientCreates = 0;
  readonly #chance: () => number;
  readonly #toGateway: { type: string; fields: object }[] = [];
  #clock = 0;
  readonly #toProvider: Sent[] = [];
  readonly #running = new Set<string>();
  readonly #clientCalls: string[] = [];
  #knownActive = 0;

  constructor(seed: number) {
    this.#chance = random(seed);
  }

  get #active(): Response | undefined {
    return this.responses.find(({ status }) => status === 'in_progress');
  }

  /** Something happens, if it can. */
  happen(): void {
    const events = [
      () => this.#deliver(),
      () => this.#deliver(),
      () => this.#readOne(),
      () => this.#readOne(),
      () => this.#speak(),
      () => this.#call(),
      () => this.#complete(this.#chance() < 0.8 ? 'completed' : 'cancelled'),
      () => this.#finish(),
      () => this.#answer(),
      () => this.#chance() < 0.2 && this.#ask(),
    ];
    events[Math.floor(this.#chance() * events.length)]?.();
  }

  /** Everything that is under way comes to its end, and nobody begins anything new. */
  settle(): void {
    for (let round = 0; round < 200; round += 1) {
      this.#finish();
      this.#answer();
      this.#complete('completed');
      this.#deliver();
      this.#readOne();
    }
  }

  #speak(): void {
    if (!this.#active) this.#begin();
  }

  #begin(): void {
    const id = `r${this.responses.length}`;
    const createdAt = (this.#clock += 1);
    this.responses.push({ id, createdAt, calls: new Map(), status: 'in_progress' });
    this.#emit('response.created', { response: { id } });
  }

  #call(): void {
    const active = this.#active;
    if (!active) return;
    const call_id = `${active.id}_${active.calls.size}`;
    const name = this.#chance() < 0.7 ? 'lookup' : 'show_map';
    active.calls.set(call_id, { name, output: undefined });
    const fields = { response_id: active.id, item_id: `i${call_id}`, call_id, name };
    this.#emit('response.function_call_arguments.done', { ...fields, arguments: '{}' });
  }

  #complete(status: 'completed' | 'cancelled'): void {
    const active = this.#active;
    if (!active) return;
    active.status = status;
    this.#emit('response.done', { response: { id: active.id, status, output: [] } });
  }

  #emit(type: string, fields: object): void {
    this.#toGateway.push({ type, fields });
  }

  #deliver(): void {
    const event = this.#toGateway.shift();
    if (!event) return;
    if (event.type === 'response.created') this.#knownActive += 1;
    if (event.type === 'response.done') this.#knownActive -= 1;
    this.#watch(() => this.dialogue.provider(event.type, event.fields));
  }

  #finish(): void {
    const [callId] = this.#running;
    if (callId === undefined) return;
    this.#running.delete(callId);
    this.#watch(() => this.dialogue.happens({ kind: 'call.finished', callId, output: 'result' }));
  }

  #answer(): void {
    const call_id = this.#clientCalls.shift();
    if (call_id === undefined) return;
    const item = { type: 'function_call_output', call_id, output: 'mine' };
    this.#watch(() => this.dialogue.client({ type: 'conversation.item.create', item }));
    this.#ask();
  }

  #ask(): void {
    this.clientCreates += 1;
    this.#watch(() => this.dialogue.client({ type: 'response.create' }));
  }

  /** Notes what the session does at once, and whether it may. */
  #watch(act: () => void): void {
    const before = this.dialogue.effects.length;
    act();
    for (const effect of this.dialogue.effects.slice(before)) {
      if (effect.kind === 'start_call') this.#running.add(effect.call.callId);
      if (effect.kind === 'arm_timer' && effect.timer.startsWith('call '))
        this.#clientCalls.push(effect.timer.slice(5));
      if (effect.kind !== 'send_provider') continue;
      const sent = JSON.parse(String(effect.frame.data)) as Sent;
      this.#toProvider.push(sent);
      if (sent.type === 'response.create' && sent.event_id && this.#knownActive > 0)
        this.problems.push('a create while a response is active');
    }
  }

  /** The provider takes the next event from the wire. */
  #readOne(): void {
    const sent = this.#toProvider.shift();
    if (!sent) return;
    if (sent.type === 'conversation.item.create') this.#take(sent.item?.call_id ?? '');
    else if (this.#active)
      this.#emit('error', {
        error: { code: 'conversation_already_has_active_response', event_id: sent.event_id },
      });
    else {
      if (sent.event_id !== undefined) this.taken += 1;
      this.#begin();
    }
  }

  #take(callId: string): void {
    const call = this.responses.flatMap(({ calls }) => [...calls]).find(([id]) => id === callId);
    if (!call) return;
    if (call[1].output !== undefined) this.problems.push(`${callId} has two outputs`);
    call[1].output = this.#clock += 1;
  }
}

describe('the sequence of outputs and responses', () => {
  it('holds whatever happens in between', () => {
    let creates = 0;
    for (let seed = 1; seed <= 400; seed += 1) {
      const world = new World(seed);
      for (let n = 0; n < 120; n += 1) world.happen();
      world.settle();
      creates += world.taken;
      expect(world.problems, `seed ${seed}`).to.be.empty;
      const served = world.responses.filter((response) => isServed(response));
      expect(world.taken, `seed ${seed}`).to.be.at.most(served.length);
      for (const { id, calls } of world.responses.filter(({ status }) => status === 'completed'))
        for (const [callId, { output }] of calls)
          expect(output, `seed ${seed}: ${callId} of ${id}`).to.be.a('number');
      for (const { id, calls } of served) {
        const last = Math.max(...[...calls.values()].map(({ output }) => output ?? 0));
        const answered = world.responses.some(({ createdAt }) => createdAt > last);
        expect(answered, `seed ${seed}: ${id} is answered`).to.equal(true);
      }
    }
    expect(creates).to.be.above(300);
  });
});

/** Whether the service has to ask for the answer: the client follows its own outputs up. */
function isServed({ status, calls }: Response): boolean {
  const names = [...calls.values()].map(({ name }) => name);
  return status === 'completed' && names.length > 0 && !names.includes('show_map');
}

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
