import type { RawEvent } from '../session/session-events.js';
import { fields, text } from './read.js';

/** What a client remembers in order to resume its session: plain data. */
export type Resume = {
  /** The newest path; null if the service offers none. */
  readonly path: string | null;
  readonly graceMs: number;
  /** How many messages were received, and how many of those were acknowledged. */
  readonly received: number;
  readonly acknowledged: number;
  /** How many messages were sent, and the last of them. */
  readonly sent: number;
  readonly kept: readonly string[];
  readonly keptLength: number;
};

export const fresh: Resume = {
  path: null,
  graceMs: 0,
  received: 0,
  acknowledged: 0,
  sent: 0,
  kept: [],
  keptLength: 0,
};

/** More than a minute of audio; what is older has arrived, or the connection is long gone. */
const maxKeptLength = 8 * 1024 * 1024;
const messagesPerAck = 50;

/** A message arrived; undefined if it is not an event. */
export function received(resume: Resume, event: RawEvent | undefined): Resume {
  const data = fields(event?.['data']);
  switch (event?.type) {
    case 'session.resumable':
      return {
        ...resume,
        path: text(data['resumePath']),
        graceMs: Number(data['graceSeconds']) * 1000,
      };
    // These belong to one connection, and do not count.
    case 'session.resumed':
    case 'session.acknowledged':
      return resume;
    case 'session.moving':
      return { ...resume, path: text(data['resumePath']) };
    case 'session.unresumable':
      return { ...resume, path: null, kept: [], keptLength: 0 };
    case undefined:
    default:
      return { ...resume, received: resume.received + 1 };
  }
}

/** Another instance continues the conversation: all counts start again. */
export function restarted({ path, graceMs }: Resume): Resume {
  return { ...fresh, path, graceMs };
}

export function isAckDue({ path, received: count, acknowledged }: Resume): boolean {
  return path !== null && count - acknowledged >= messagesPerAck;
}

export function acknowledging(resume: Resume): Resume {
  return { ...resume, acknowledged: resume.received };
}

export function sent(resume: Resume, message: string): Resume {
  const kept = [...resume.kept, message];
  let keptLength = resume.keptLength + message.length;
  let dropped = 0;
  while (keptLength > maxKeptLength) keptLength -= kept[dropped++]?.length ?? 0;
  return { ...resume, sent: resume.sent + 1, kept: kept.slice(dropped), keptLength };
}

/**
 * What has to be sent again, if the service has received this many messages. Undefined if some of
 * it is no longer kept.
 */
export function missing(
  { sent: count, kept }: Resume,
  arrived: number,
): readonly string[] | undefined {
  const lost = count - arrived;
  return lost >= 0 && lost <= kept.length ? kept.slice(kept.length - lost) : undefined;
}
