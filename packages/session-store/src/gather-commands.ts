import type { Command } from 'ioredis';
import { isOneNode, type Redis } from './topology.js';

type Stream = { cork(): void; uncork(): void };
type Sender = {
  readonly stream: Stream | undefined;
  sendCommand: (command: Command, ...where: unknown[]) => unknown;
};

/**
 * Writes the commands of one turn of the event loop to a server's socket together: under load, the
 * system calls cost more than the commands. The nodes of a cluster have a socket each, and are left
 * as they are.
 */
export function gather(redis: Redis): void {
  if (!isOneNode(redis)) return;
  const sender = redis as unknown as Sender;
  const send = sender.sendCommand.bind(redis);
  let corked: Stream | undefined;
  const uncork = () => {
    corked?.uncork();
    corked = undefined;
  };
  sender.sendCommand = (command, ...where) => {
    const { stream } = sender;
    if (stream && stream !== corked) {
      if (corked) uncork();
      else setImmediate(uncork);
      stream.cork();
      corked = stream;
    }
    return send(command, ...where);
  };
}
