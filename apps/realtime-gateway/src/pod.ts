import { podChannel, readHint, subscribe, type RedisOptions } from '@parley/session-store';
import type { Subscriber } from '@parley/session-store';
import type { Gateway } from './gateway.js';

/** Listens for hints from other processes that something has changed. */
export async function listenAsPod(
  redis: RedisOptions,
  gateway: Pick<Gateway, 'look' | 'reread' | 'pod'>,
): Promise<Subscriber> {
  return subscribe({
    ...redis,
    channel: podChannel(gateway.pod),
    onMessage(message) {
      const hint = readHint(message);
      if (hint) gateway.look(hint);
    },
    onGap: () => gateway.reread(),
  });
}
