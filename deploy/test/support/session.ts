import type { WebSocket } from 'ws';

export type Event = { type: string } & Record<string, unknown>;

type Waiter = { matches: (event: Event) => boolean; resolve: (event: Event) => void };

/** An end user's side of one session. It remembers every event but the audio. */
export class Session {
  readonly events: Event[] = [];
  /** The close code; 1006 when the connection broke without one. */
  readonly closed: Promise<number>;
  closedAt: number | undefined;
  readonly #socket: WebSocket;
  readonly #waiters = new Set<Waiter>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, binary) => {
      if (!binary) this.#hear(JSON.parse(data.toString()) as Event);
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        this.closedAt = performance.now();
        resolve(code);
      });
    });
  }

  /** Resolves when the session is ready for the client's events. */
  static async open(socket: WebSocket): Promise<Session> {
    const session = new Session(socket);
    const failed = new Promise<never>((_, reject) => socket.on('error', reject));
    await Promise.race([session.event('session.updated'), failed]);
    return session;
  }

  /** The first such event, heard already or yet to come; rejects when the session ends without it. */
  async event(wanted: string | ((event: Event) => boolean)): Promise<Event> {
    const matches = typeof wanted === 'string' ? (event: Event) => event.type === wanted : wanted;
    const heard = this.events.find(matches);
    if (heard) return heard;
    return new Promise((resolve, reject) => {
      this.#waiters.add({ matches, resolve });
      void this.closed.then((code) => {
        const told = JSON.stringify(this.events.findLast(({ type }) => type === 'error'));
        reject(new Error(`closed with ${code} before ${String(wanted)}; told ${told}`));
      });
    });
  }

  send(event: Event): void {
    this.#socket.send(JSON.stringify(event));
  }

  /** One turn of text; the simulator carries out what it is told with "!". */
  say(text: string): void {
    const content = [{ type: 'input_text', text }];
    this.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content },
    });
    this.send({ type: 'response.create' });
  }

  /** A turn from its words to the end of the answer. */
  async turn(text: string): Promise<void> {
    const before = this.#heard('response.done');
    this.say(text);
    await this.count('response.done', before + 1);
  }

  /** Resolves when so many events of a type were heard. */
  async count(type: string, times: number): Promise<void> {
    await this.event((event) => event.type === type && this.#heard(type) >= times);
  }

  async leave(): Promise<void> {
    this.#socket.close(1000);
    await this.closed;
  }

  #heard(type: string): number {
    return this.events.filter((event) => event.type === type).length;
  }

  #hear(event: Event): void {
    if (event.type === 'response.output_audio.delta') return;
    this.events.push(event);
    for (const waiter of this.#waiters)
      if (waiter.matches(event)) {
        this.#waiters.delete(waiter);
        waiter.resolve(event);
      }
  }
}
