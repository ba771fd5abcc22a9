import type { Metrics } from '@parley/service-kit';
import {
  createEventLog,
  eventsChannel,
  subscribe,
  type Redis,
  type RedisOptions,
} from '@parley/session-store';
import { EventDesk, type EventLimits } from './event-desk.js';
import { eventStreamMetrics } from './event-metrics.js';

export type EventsOptions = {
  readonly redis: Redis;
  readonly redisOptions: RedisOptions;
  readonly registry: Metrics['registry'];
  readonly limits?: Partial<EventLimits>;
};

export type Events = { readonly desk: EventDesk; close(): void };

/**
 * Serves all organizations of this process with one subscription. Rejects if Redis cannot be
 * reached.
 */
export async function openEvents(options: EventsOptions): Promise<Events> {
  const { redis, redisOptions, registry, limits = {} } = options;
  const metrics = eventStreamMetrics(registry);
  const desk = new EventDesk({ log: createEventLog(redis), metrics, limits });
  try {
    const subscriber = await subscribe({
      ...redisOptions,
      channel: eventsChannel,
      onMessage: (organizationId) => desk.hint(organizationId),
      onGap: () => desk.missed(),
    });
    return {
      desk,
      close() {
        desk.leave();
        subscriber.close();
      },
    };
  } catch (error) {
    desk.leave();
    throw error;
  }
}
