import { eventsKey } from './keys.js';
import { defineScript, type ScriptRunner } from './lua-script.js';

/** The organization's id is published here whenever it has new events. */
export const eventsChannel = 'parley:events';

/** The minimum number of events kept per organization, and how long after the last one. */
const kept = { events: 1000, ms: 10 * 60 * 1000 };

export type LoggedEvent = {
  /** Its position in the stream. */
  readonly id: string;
  readonly event: string;
};

export type EventsRead = {
  /**
   * False if events after the position are gone, or the position is unknown. Then none are
   * returned.
   */
  readonly whole: boolean;
  readonly events: readonly LoggedEvent[];
  /** The position to read from next. */
  readonly place: string;
};

/** The recent events of each organization: a capped stream of hints about what to read again. */
export type EventLog = {
  append(organizationId: string, events: readonly string[]): Promise<void>;
  /** Without a position, reads from now on. */
  read(organizationId: string, after?: string): Promise<EventsRead>;
};

export function createEventLog(redis: ScriptRunner): EventLog {
  const append = defineScript(redis, 'append-events');
  const read = defineScript(redis, 'read-events');
  return {
    async append(organizationId, events) {
      const limits = [kept.events, kept.ms, eventsChannel, organizationId];
      await append([eventsKey(organizationId)], [...limits, ...events]);
    },
    async read(organizationId, after = '') {
      const keys = [eventsKey(organizationId)];
      const asked = after === '' || isPlace(after) ? after : unknownPlace;
      const args = [asked, kept.events, kept.ms];
      const [whole, place, entries] = (await read(keys, args)) as Reply;
      const events = entries.map(([id, [, event]]) => ({ id, event }));
      return { whole: whole === 1, place, events };
    },
  };
}

type Reply = [whole: number, place: string, entries: [id: string, fields: [string, string]][]];

/** Older than everything. */
const unknownPlace = '0-0';

/** Whether these are numbers that Lua can compare. */
function isPlace(text: string): boolean {
  return /^\d{1,15}-\d{1,15}$/.test(text);
}

/** Whether one position in a stream comes before another. */
export function isEarlier(one: string, other: string): boolean {
  const [ms = 0, sequence = 0] = one.split('-').map(Number);
  const [otherMs = 0, otherSequence = 0] = other.split('-').map(Number);
  return ms < otherMs || (ms === otherMs && sequence < otherSequence);
}
