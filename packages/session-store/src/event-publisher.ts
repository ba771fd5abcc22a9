import { resyncEvent } from '@parley/protocol';
import type { EventLog } from './event-log.js';

export type PublishedEvent = {
  readonly organizationId: string;
  readonly type: string;
  readonly data: object;
};

export type EventPublisherOptions = {
  readonly log: Pick<EventLog, 'append'>;
  /** Reports how many events were published, or lost because Redis did not accept them. */
  readonly onOutcome: (outcome: 'published' | 'lost', events: number) => void;
  readonly retryMs?: number;
  readonly maxUnderWay?: number;
};

/**
 * Notifies listeners of an organization. Callers neither wait for it nor fail with it: events that
 * Redis does not accept are dropped, and the organization's listeners are told to read everything
 * again as soon as it does.
 */
export function createEventPublisher(
  options: EventPublisherOptions,
): (events: readonly PublishedEvent[]) => void {
  const { log, onOutcome, retryMs = 2000, maxUnderWay = 1000 } = options;
  const missed = new Set<string>();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  const append = async (organizationId: string, events: readonly string[]) => {
    underWay += 1;
    try {
      await log.append(organizationId, events);
      onOutcome('published', events.length);
    } catch {
      lose(organizationId, events.length);
    } finally {
      underWay -= 1;
    }
  };
  const lose = (organizationId: string, events: number) => {
    onOutcome('lost', events);
    missed.add(organizationId);
    timer ??= setTimeout(tellMissed, retryMs).unref();
  };
  const tellMissed = () => {
    timer = undefined;
    const organizations = [...missed];
    missed.clear();
    for (const id of organizations) void append(id, [eventText(resyncEvent, {})]);
  };

  return (events) => {
    for (const [organizationId, own] of byOrganization(events))
      if (underWay < maxUnderWay) void append(organizationId, own);
      else lose(organizationId, own.length);
  };
}

/** An event as its reader receives it. */
export function eventText(type: string, data: object): string {
  return JSON.stringify({ type, timestamp: new Date().toISOString(), data });
}

function byOrganization(events: readonly PublishedEvent[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { organizationId, type, data } of events) {
    const text = eventText(type, data);
    const own = texts.get(organizationId);
    if (own) own.push(text);
    else texts.set(organizationId, [text]);
  }
  return texts;
}
