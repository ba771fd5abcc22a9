import type { Command } from 'ioredis';
import type { RedisMetrics } from './redis-options.js';
import type { Redis } from './topology.js';

type Sender = { sendCommand: (command: Command, ...where: unknown[]) => unknown };

/**
 * Reports every command of a connected client. A command that is resent after a reconnect counts
 * once.
 */
export function measure(redis: Redis, metrics: RedisMetrics): void {
  redis.on('ready', () => metrics.reconnected());
  const sender = redis as Sender;
  const send = sender.sendCommand.bind(redis);
  const known = new WeakSet<Command>();
  sender.sendCommand = (command, ...where) => {
    if (!known.has(command)) {
      known.add(command);
      time(command, metrics);
    }
    return send(command, ...where);
  };
}

function time({ promise }: Command, metrics: RedisMetrics): void {
  const startedAt = performance.now();
  const ended = (failed: boolean) =>
    metrics.command((performance.now() - startedAt) / 1000, failed);
  promise.then(
    () => ended(false),
    // A refusal is a response, too.
    (error: unknown) => ended((error as Error).name !== 'ReplyError'),
  );
}
