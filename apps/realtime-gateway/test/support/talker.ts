import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { insertConversation } from './organization.js';
import { ResumingClient } from './resuming-client.js';
import type { Stage } from './stage.js';
import type { Event } from './test-client.js';
import { done, start, type Data } from './tool-scene.js';

type Row = { id: string; role: string; content: string };

/** On a loaded machine, a hundred of them take their time. */
const patienceMs = 600_000;

/**
 * A client with a script, in a conversation of its own, which it carries on whatever happens to its
 * gateway. All that it says is unique, so that nothing can be counted twice.
 */
export class Talker {
  readonly name: string;
  readonly client: ResumingClient;
  readonly conversationId: string;
  readonly #stage: Stage;
  readonly #origin: () => string;
  /** The unique arguments of each call that the client knows to have run. */
  readonly ran: string[] = [];
  turns = 0;
  #attempts = 0;
  #requests = 0;
  #isLeaving = false;
  /** The connection is lost for good. */
  #broken: Error | undefined;

  private constructor(
    parts: Pick<Talker, 'name' | 'client' | 'conversationId'>,
    stage: Stage,
    origin: () => string,
  ) {
    ({ name: this.name, client: this.client, conversationId: this.conversationId } = parts);
    this.#stage = stage;
    this.#origin = origin;
    this.#follow();
  }

  /** The origin is where a load balancer would send it at that moment. */
  static async start(name: string, stage: Stage, origin: () => string): Promise<Talker> {
    const { databaseUrl, organizationId, agentId } = stage.stores;
    const conversationId = await insertConversation(databaseUrl, organizationId, agentId);
    const { path } = await stage.issue({ conversationId, resumable: true });
    const client = await ResumingClient.ready(origin(), path);
    return new Talker({ name, client, conversationId }, stage, origin);
  }

  /** How often another gateway continued its session from the record. */
  get restores(): number {
    return this.client.restores;
  }

  /** Where it stands, for the message of a test that waits for it in vain. */
  get state(): string {
    const { socket, closes, refusals, events } = this.client;
    return JSON.stringify({
      name: this.name,
      turns: this.turns,
      restores: this.restores,
      resumes: this.client.resumes,
      socket: socket.readyState,
      closes: closes.slice(-3),
      refusals: refusals.slice(-3),
      lastEvents: events.slice(-3).map(({ type }) => type),
      error: events.findLast(({ type }) => type === 'error')?.['error'],
      broken: this.#broken?.cause instanceof Error ? this.#broken.cause.message : undefined,
    });
  }

  /** Says something, and waits for the answer until the client knows that it is on the record. */
  async say(): Promise<void> {
    const words = this.#unique();
    this.#write(`!say ${words}`);
    const isDone = (events: readonly Event[]) => isAnswered(events, words);
    for (let end = await this.#request(isDone); end !== 'done';) {
      // What was not announced may be on the record, or not: it is never said again.
      const isKnown = this.#created.some(({ content }) => content === `!say ${words}`);
      if (end === 'crossed' || !isKnown) return this.say();
      end = await this.#request(isDone);
    }
    this.turns += 1;
  }

  /** Has a tool called, until one call is known to have run. */
  async call(): Promise<void> {
    const city = this.#unique();
    this.#write(`!call weather ${JSON.stringify({ city })}`);
    const end = await this.#request((events) => isCalled(events, city));
    if (end !== 'done') return this.call();
    this.ran.push(city);
    this.turns += 1;
  }

  /** Leaves a call waiting for approval, and returns its message's id. */
  async ask(): Promise<Data> {
    const amount = this.client.events.length;
    this.#write(`!call pay ${JSON.stringify({ amount })}`);
    this.client.say('{"type":"response.create"}');
    return (await this.client.event('approval.waiting'))['data'] as Data;
  }

  async leave(): Promise<void> {
    this.#isLeaving = true;
    await this.client.leave();
  }

  /** Everything that was announced is on the record, once, and nothing that was said is there twice. */
  async check(): Promise<void> {
    const record = await this.record();
    const byId = new Map(record.map((row) => [row.id, row]));
    for (const { id, content } of this.#created) expect(byId.get(id)).to.include({ content });
    const answered = this.client.events.filter(({ type }) => type === 'response.id');
    const ids = [...this.#created, ...answered.map(({ data }) => data as Data & { id: string })];
    expect(new Set(ids.map(({ id }) => id)).size, 'announced once').to.equal(ids.length);
    for (const { id } of ids) expect(byId.has(id), 'on the record').to.equal(true);
    const said = record.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(said).to.have.length(new Set(said).size);
  }

  record(): Promise<Row[]> {
    const { database, organizationId } = this.#stage.stores;
    return database.inOrganization(organizationId, ({ trx }) =>
      trx
        .selectFrom('messages')
        .select(['id', 'role', 'content'])
        .where('conversationId', '=', this.conversationId)
        .orderBy('position')
        .execute(),
    );
  }

  get #created(): { id: string; content: string }[] {
    return this.client.events
      .filter(({ type }) => type === 'message.created')
      .map(({ data }) => data as { id: string; content: string });
  }

  #unique(): string {
    this.#attempts += 1;
    return `${this.name} says ${this.#attempts}.`;
  }

  #write(text: string): void {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
    this.client.say(JSON.stringify({ type: 'conversation.item.create', item }));
  }

  /**
   * Requests an answer. `restored`: another gateway has continued the session meanwhile. `crossed`:
   * the agent has answered something else, or was busy with it.
   */
  #request(
    isDone: (events: readonly Event[]) => boolean,
  ): Promise<'done' | 'restored' | 'crossed'> {
    const [from, restores] = [this.client.events.length, this.restores];
    this.#requests += 1;
    const id = `request-${this.#requests}`;
    const response = { metadata: { id } };
    this.client.say(JSON.stringify({ type: 'response.create', event_id: id, response }));
    return waitFor(
      () => {
        if (this.#broken) throw this.#broken;
        const events = this.client.events.slice(from);
        if (isDone(events)) return 'done';
        if (this.restores > restores) return 'restored';
        return isCrossed(events, id) ? 'crossed' : undefined;
      },
      { what: `an answer for ${this.name}`, timeoutMs: patienceMs },
    );
  }

  /** Comes back whenever the connection is lost, or the gateway says so. */
  #follow(): void {
    const { socket } = this.client;
    const back = () => {
      socket.off('close', back);
      socket.off('message', onMoving);
      if (this.#isLeaving) return;
      this.client.comeBack(this.#origin).then(
        () => this.#follow(),
        (error: unknown) => (this.#broken = new Error('not back', { cause: error })),
      );
    };
    const onMoving = (data: Buffer, binary: boolean) => {
      if (!binary && data.includes('"session.moving"')) back();
    };
    socket.on('close', back);
    socket.on('message', onMoving);
    if (socket.readyState === socket.CLOSED) back();
  }
}

/**
 * Whether this request was refused, or is answered to the end. What is said of an earlier one may
 * arrive only now, and does not count.
 */
function isCrossed(events: readonly Event[], id: string): boolean {
  const renewals = events.filter(({ type }) => type === 'session.renewed').length;
  // An answer whose provider is lost is requested again once, by the gateway, and not twice.
  if (renewals > 1) return true;
  const isRefused = ({ type, error }: Event) =>
    type === 'error' && [null, undefined, id].includes((error as ErrorBody).event_id);
  const own = events.findIndex(
    ({ type, response }) =>
      type === 'response.done' && (response as ResponseBody).metadata?.id === id,
  );
  const since = renewals > 0 ? 0 : own;
  const isOver =
    since >= 0 && events.slice(since).some(({ type }) => type === 'response.completed');
  return isOver || events.some(isRefused);
}

type ErrorBody = { event_id?: string | null };
type ResponseBody = { metadata?: { id?: string } | null };

function isAnswered(events: readonly Event[], words: string): boolean {
  const said = events.findIndex(
    ({ type, transcript }) =>
      type === 'response.output_audio_transcript.done' && transcript === words,
  );
  return said >= 0 && events.slice(said).some(({ type }) => type === 'response.completed');
}

function isCalled(events: readonly Event[], city: string): boolean {
  const dataOf = ({ data }: Event) =>
    data as Data & { arguments: { city?: string }; status: number };
  const begun = events.find(
    (event) => event.type === start && dataOf(event).arguments.city === city,
  );
  if (!begun) return false;
  const { callId } = dataOf(begun);
  const ended = events.findIndex((event) => event.type === done && dataOf(event).callId === callId);
  if (ended < 0 || dataOf(events[ended]!).status !== 1) return false;
  return events.slice(ended).some(({ type }) => type === 'response.completed');
}
