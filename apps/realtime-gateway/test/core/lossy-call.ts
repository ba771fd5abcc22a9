import {
  acknowledged,
  countHeard,
  detached,
  objectionTo,
  offered,
  openContinuity,
  resumed,
  sent,
  type Continuity,
} from '#src/core/continuity.js';
import type { Frame } from '#src/core/session.js';

type Down = { kind: 'path'; hash: string } | { kind: 'resumed'; received: number } | Frame;
type Up = { kind: 'ack'; received: number } | { kind: 'message'; text: string };

/** One connection: what is under way in both directions. */
type Line = { readonly leg: number; down: Down[]; up: Up[]; cut: boolean };

/**
 * A session and a client that talk over connections which break at any moment, in any order. The
 * client follows the rules for clients; the network follows none.
 */
export class LossyCall {
  readonly serviceSaid: string[] = [];
  readonly serviceGot: string[] = [];
  readonly clientSaid: string[] = [];
  readonly clientGot: string[] = [];
  /** What must never happen. */
  readonly faults: string[] = [];
  /** What did happen, and how often. */
  readonly seen = new Map<string, number>();
  readonly #lines: Line[] = [];
  #session: Continuity = openContinuity(1e9);
  #paths = 0;
  /** The client's: its line, the newest path it knows, and whether it may speak. */
  #line: Line;
  #path = '';
  #mayTalk = true;

  constructor() {
    this.#line = { leg: 1, down: [], up: [], cut: false };
    this.#lines.push(this.#line);
    this.#offer(this.#line);
    while (this.#path === '') this.#deliverDown();
  }

  act(choice: number): void {
    if (choice < 25) this.#serviceSpeaks();
    else if (choice < 45) this.#clientSpeaks();
    else if (choice < 60) this.#deliverDown();
    else if (choice < 75) this.#deliverUp(choice);
    else if (choice < 80) this.#clientAcknowledges();
    else if (choice < 87) this.#cut();
    else if (choice < 91) this.#sessionNotices();
    else if (choice < 98) this.#resume(this.#path);
    else this.#presentOldPath(choice);
  }

  /** The network works again, and both sides finish. */
  heal(): void {
    this.#resume(this.#path);
    while (this.#line.down.length > 0) this.#deliverDown();
    while (this.#line.up.length > 0) this.#hear(this.#line);
  }

  #see(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  get #current(): Line | undefined {
    return this.#lines.find(({ leg }) => leg === this.#session.leg);
  }

  #offer(line: Line): void {
    const hash = `path ${(this.#paths += 1)}`;
    this.#session = offered(this.#session, hash);
    line.down.push({ kind: 'path', hash });
  }

  #serviceSpeaks(): void {
    const data = `service ${this.serviceSaid.length}`;
    this.serviceSaid.push(data);
    const frame = { data, binary: false };
    this.#session = sent(this.#session, frame);
    const line = this.#current;
    if (line && !line.cut) line.down.push(frame);
  }

  #clientSpeaks(): void {
    const text = `client ${this.clientSaid.length}`;
    this.clientSaid.push(text);
    if (this.#mayTalk) this.#line.up.push({ kind: 'message', text });
  }

  #clientAcknowledges(): void {
    if (!this.#mayTalk) return;
    this.#line.up.push({ kind: 'ack', received: this.clientGot.length });
  }

  #deliverDown(): void {
    const next = this.#line.down.shift();
    if (!next) return;
    if (!('kind' in next)) this.clientGot.push(next.data.toString());
    else if (next.kind === 'path') this.#path = next.hash;
    else {
      this.#mayTalk = true;
      for (const text of this.clientSaid.slice(next.received))
        this.#line.up.push({ kind: 'message', text });
    }
  }

  /** Anything that is under way may arrive next, on old lines, too. */
  #deliverUp(choice: number): void {
    const busy = this.#lines.filter(({ up, cut }) => up.length > 0 && !cut);
    const line = busy[choice % Math.max(1, busy.length)];
    if (line) this.#hear(line);
  }

  #hear(line: Line): void {
    const next = line.up.shift()!;
    const after = countHeard(this.#session, { leg: line.leg, counts: next.kind === 'message' });
    if (line.leg !== this.#session.leg && after) this.faults.push('a stale leg was heard');
    if (!after) {
      this.#see('stale');
      return;
    }
    this.#session = after;
    if (next.kind === 'message') this.serviceGot.push(next.text);
    else {
      const known = acknowledged(this.#session, next.received);
      if (!known) this.faults.push('a true acknowledgement was refused');
      this.#see('acknowledged');
      this.#session = known ?? this.#session;
    }
  }

  #cut(): void {
    if (this.#line.cut) return;
    this.#see('cut');
    if (this.#line.down.length + this.#line.up.length > 0) this.#see('lost');
    this.#line.cut = true;
    this.#line.down = [];
    this.#line.up = [];
    this.#mayTalk = false;
  }

  #sessionNotices(): void {
    const line = this.#current;
    if (line?.cut) this.#session = detached(this.#session, line.leg);
  }

  #resume(hash: string): void {
    const received = this.clientGot.length;
    if (objectionTo(this.#session, { hash, received }) !== undefined) {
      this.faults.push('the path of an honest client was refused');
      return;
    }
    if (this.#session.leg !== undefined) this.#see('taken over');
    const { continuity, missed } = resumed(this.#session, { hash, received });
    this.#session = continuity;
    // The client no longer listens to the old line; what it sent there may still arrive.
    this.#line = { leg: continuity.leg!, down: [], up: [], cut: false };
    this.#lines.push(this.#line);
    this.#mayTalk = false;
    this.#see('resumed');
    if (missed.length > 0) this.#see('replayed');
    this.#offer(this.#line);
    this.#line.down.push(...missed, { kind: 'resumed', received: continuity.heard });
  }

  /** Somebody tries a path from earlier: if it is spent, nothing happens. */
  #presentOldPath(choice: number): void {
    const hash = `path ${1 + (choice % this.#paths)}`;
    const objection = objectionTo(this.#session, { hash, received: this.clientGot.length });
    if (objection) this.#see('refused');
  }
}
