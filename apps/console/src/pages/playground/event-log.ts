import type { RawEvent, Traffic } from '@parley/client';

/** An event of the session, or several audio events in a row. */
export type LogEntry = {
  readonly seq: number;
  /** Milliseconds since 1970, of the first and the last one. */
  readonly at: number;
  readonly until: number;
  readonly sent: boolean;
  readonly type: string;
  /** An event that Parley adds to the provider's protocol. */
  readonly custom: boolean;
  /** Without its audio, and with very long texts truncated. */
  readonly event: RawEvent;
  readonly count: number;
  readonly audioBytes: number;
};

export type EventLog = {
  readonly entries: readonly LogEntry[];
  /** Total number of entries, including dropped ones. */
  readonly total: number;
};

export const emptyLog: EventLog = { entries: [], total: 0 };
export const maxEntries = 2_000;

/** The events that carry audio, and the field that contains it. */
const soundFields: ReadonlyMap<string, string> = new Map([
  ['input_audio_buffer.append', 'audio'],
  ['response.output_audio.delta', 'delta'],
  ['response.audio.delta', 'delta'],
]);

/**
 * Appends an event. Audio events are folded, and the oldest entries are dropped once there are too
 * many.
 */
export function logged(log: EventLog, { sent, event }: Traffic, at: number): EventLog {
  const field = soundFields.get(event.type);
  if (field !== undefined) return withSound(log, { sent, event, at, field });
  return appended(log, { at, until: at, sent, event: clipped(event), count: 1, audioBytes: 0 });
}

type Sound = Traffic & { readonly at: number; readonly field: string };

function withSound(log: EventLog, { sent, event, at, field }: Sound): EventLog {
  const audioBytes = bytesOf(new Map(Object.entries(event)).get(field));
  const place = foldsInto(log.entries, event, sent);
  const before = log.entries[place];
  if (before) {
    const more = {
      ...before,
      until: at,
      count: before.count + 1,
      audioBytes: before.audioBytes + audioBytes,
    };
    return { ...log, entries: log.entries.with(place, more) };
  }
  const silent = { ...event, [field]: '(audio omitted)' };
  return appended(log, { at, until: at, sent, event: silent, count: 1, audioBytes });
}

/**
 * Audio of both sides interleaves: an event may be folded across audio of the other side, but not
 * across anything else.
 */
function foldsInto(entries: readonly LogEntry[], event: RawEvent, sent: boolean): number {
  for (let place = entries.length - 1; place >= 0; place -= 1) {
    const entry = entries[place];
    if (!entry || !soundFields.has(entry.type)) return -1;
    const same = entry.type === event.type && entry.event.item_id === event.item_id;
    if (same && entry.sent === sent) return place;
  }
  return -1;
}

type Fresh = Omit<LogEntry, 'seq' | 'type' | 'custom'>;

function appended(log: EventLog, fresh: Fresh): EventLog {
  const { event } = fresh;
  const entry = {
    ...fresh,
    seq: log.total + 1,
    type: event.type,
    custom: 'data' in event || event.type.startsWith('approval.'),
  };
  return { entries: [...log.entries.slice(1 - maxEntries), entry], total: entry.seq };
}

const longestText = 8_000;

function clipped(event: RawEvent): RawEvent {
  const written = JSON.stringify(event, (_name, value: unknown) =>
    typeof value === 'string' && value.length > longestText
      ? `${value.slice(0, longestText)}… (${value.length - longestText} characters omitted)`
      : value,
  );
  return JSON.parse(written) as RawEvent;
}

function bytesOf(base64: unknown): number {
  if (typeof base64 !== 'string') return 0;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

export const shows = ['all', 'sent', 'received', 'custom'] as const;
export type Show = (typeof shows)[number];
export type LogFilter = { readonly text: string; readonly show: Show };

/** Filters by direction or origin, and by words in the type or the event itself. */
export function filtered(
  entries: readonly LogEntry[],
  { text, show }: LogFilter,
): readonly LogEntry[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && show === 'all') return entries;
  return entries.filter((entry) => {
    if (show === 'custom' && !entry.custom) return false;
    if (show === 'sent' && !entry.sent) return false;
    if (show === 'received' && entry.sent) return false;
    return wanted === '' || JSON.stringify(entry.event).toLowerCase().includes(wanted);
  });
}

/** One JSON object per line, oldest first. */
export function jsonLines(entries: readonly LogEntry[]): string {
  return entries
    .map(({ at, until, sent, event, count, audioBytes }) => {
      const line = {
        at: new Date(at).toISOString(),
        direction: sent ? 'sent' : 'received',
        ...(count > 1 && { count, until: new Date(until).toISOString() }),
        ...(audioBytes > 0 && { audioBytes }),
        event,
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}
