import { mayHear, Problem, resyncEvent, type Scope } from '@parley/protocol';
import {
  eventText,
  isEarlier,
  type EventLog,
  type EventsRead,
  type LoggedEvent,
} from '@parley/session-store';
import { EventStream } from '../http/event-stream.js';
import { orUnavailable } from '../http/unavailable.js';
import type { EventStreamMetrics } from './event-metrics.js';

export type EventDeskOptions = {
  readonly log: Pick<EventLog, 'read'>;
  readonly metrics: EventStreamMetrics;
  readonly limits?: Partial<EventLimits>;
};

export type EventLimits = {
  /** Per organization, in this process. */
  readonly streams: number;
  /** How often a listener's position advances even if nothing happened. */
  readonly lookMs: number;
  /** How often to check whether a caller may still listen. */
  readonly checkMs: number;
};

export const eventLimits: EventLimits = { streams: 100, lookMs: 15_000, checkMs: 30_000 };

/** How long the end of a stream waits for a reader that does not read. */
const unreadMs = 2000;

/** A caller that listens. */
export type Listening = {
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  readonly lastEventId: string | undefined;
  /** The caller's current permissions. Rejects with the refusal that a new request would get. */
  readonly again: () => Promise<{ readonly scopes: readonly Scope[] }>;
  /** Fires when the connection is closed. */
  readonly gone: AbortSignal;
};

type Listener = { place: string; scopes: readonly Scope[]; readonly stream: EventStream };

type Room = {
  readonly listeners: Set<Listener>;
  /** A read for all of them is in progress, and repeats if there may be more. */
  reading: boolean;
  again: boolean;
  /** Events may have been lost in the meantime. */
  missed: boolean;
};

/**
 * The listeners of each organization in this process. When a hint arrives, the log is read once for
 * all listeners of an organization; each has its own position in it, so that no event is repeated
 * or skipped.
 */
export class EventDesk {
  readonly #options: EventDeskOptions;
  readonly #limits: EventLimits;
  readonly #rooms = new Map<string, Room>();
  readonly #looks: NodeJS.Timeout;
  #leaving = false;

  constructor(options: EventDeskOptions) {
    this.#options = options;
    this.#limits = { ...eventLimits, ...options.limits };
    this.#looks = setInterval(() => this.#lookAll(), this.#limits.lookMs);
  }

  /** Rejects if there are too many listeners, or Redis is unavailable. */
  async listen(listening: Listening): Promise<EventStream> {
    const { organizationId, scopes, lastEventId, gone } = listening;
    const start = await orUnavailable(this.#options.log.read(organizationId, lastEventId));
    if (this.#leaving) throw shuttingDown();
    const room = this.#roomOf(organizationId);
    if (room.listeners.size >= this.#limits.streams) throw tooMany(this.#limits.streams);
    const stream = new EventStream({ keepAlive: () => `: keep-alive\n${placeLine(listener)}\n` });
    const listener: Listener = { place: '0-0', scopes, stream };
    tell(listener, start);
    // A listener that receives no events for a while resumes from here.
    stream.write(`${placeLine(listener)}\n`);
    room.listeners.add(listener);
    const checks = this.#check(listener, listening);
    const { metrics } = this.#options;
    const leave = () => {
      clearInterval(checks);
      room.listeners.delete(listener);
      if (room.listeners.size === 0) this.#rooms.delete(organizationId);
      metrics.closed(stream.overflowed ? 'slow' : 'left');
    };
    metrics.opened();
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    this.hint(organizationId);
    return stream;
  }

  /** There may be new events for an organization. */
  hint(organizationId: string): void {
    const room = this.#rooms.get(organizationId);
    if (!room) return;
    room.again = true;
    if (!room.reading) void this.#read(organizationId, room);
  }

  /** Hints were lost, and possibly events: everyone reads again. */
  missed(): void {
    for (const room of this.#rooms.values()) room.missed = true;
    this.#lookAll();
  }

  /** The process is shutting down: listeners reconnect elsewhere. */
  leave(): void {
    this.#leaving = true;
    clearInterval(this.#looks);
    for (const { listeners } of this.#rooms.values())
      for (const { stream } of listeners) {
        end(stream, 'the instance is shutting down');
        setTimeout(() => stream.cutOff(), unreadMs).unref();
      }
  }

  #roomOf(organizationId: string): Room {
    const known = this.#rooms.get(organizationId);
    if (known) return known;
    const room = { listeners: new Set<Listener>(), reading: false, again: false, missed: false };
    this.#rooms.set(organizationId, room);
    return room;
  }

  #lookAll(): void {
    for (const organizationId of this.#rooms.keys()) this.hint(organizationId);
  }

  async #read(organizationId: string, room: Room): Promise<void> {
    room.reading = true;
    while (room.again && room.listeners.size > 0) {
      room.again = false;
      const { missed } = room;
      try {
        const after = missed ? undefined : earliest(room.listeners);
        const read = await this.#options.log.read(organizationId, after);
        if (missed) room.missed = false;
        for (const listener of room.listeners)
          tell(listener, missed ? { ...read, whole: false } : read);
      } catch {
        // Redis is unavailable: the next check, or the end of the gap, continues.
      }
    }
    room.reading = false;
  }

  #check(listener: Listener, { again }: Listening): NodeJS.Timeout {
    let asking = false;
    const check = async () => {
      if (asking) return;
      asking = true;
      try {
        listener.scopes = (await again()).scopes;
      } catch (error) {
        // A store that does not respond is not a refusal.
        if (error instanceof Problem && error.status < 500)
          end(listener.stream, 'the caller may not listen any more');
      } finally {
        asking = false;
      }
    };
    return setInterval(() => void check(), this.#limits.checkMs);
  }
}

function tell(listener: Listener, { whole, place, events }: EventsRead): void {
  const { stream, scopes } = listener;
  if (!whole) {
    listener.place = place;
    stream.write(frame({ id: place, event: eventText(resyncEvent, {}) }, resyncEvent));
    return;
  }
  for (const logged of events) {
    if (!isEarlier(listener.place, logged.id)) continue;
    const { type } = JSON.parse(logged.event) as { type: string };
    if (mayHear(type, scopes)) stream.write(frame(logged, type));
  }
  if (isEarlier(listener.place, place)) listener.place = place;
}

function frame({ id, event }: LoggedEvent, type: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${event}\n\n`;
}

/** Tells a reader its position, without an event. */
function placeLine({ place }: Listener): string {
  return `id: ${place}\n`;
}

function earliest(listeners: Iterable<Listener>): string {
  const [first = '0-0', ...others] = Array.from(listeners, ({ place }) => place);
  return others.reduce((one, other) => (isEarlier(other, one) ? other : one), first);
}

function end(stream: EventStream, why: string): void {
  stream.comment(`closing: ${why}`);
  stream.end();
}

function tooMany(streams: number): Problem {
  return new Problem(
    'too-many-streams',
    `Your organization already has ${streams} open event streams on this instance. Close some, or share one among your listeners.`,
    { headers: { 'Retry-After': '30' } },
  );
}

function shuttingDown(): Problem {
  return new Problem('service-unavailable', 'The instance is shutting down. Connect again.', {
    headers: { 'Retry-After': '1' },
  });
}
