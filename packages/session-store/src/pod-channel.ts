import type { Redis } from 'ioredis';
import { isOneNode } from './topology.js';

/**
 * Something about this id has changed; the pod reads the state itself. A hint may be lost, and
 * contains nothing that is not stored.
 */
export type PodHint = { readonly kind: PodHintKind; readonly id: string };

const kinds = ['approval', 'session', 'run'] as const;
export type PodHintKind = (typeof kinds)[number];

export type Publisher = Pick<Redis, 'publish'>;

/** The channel for hints to one pod. */
export function podChannel(podId: string): string {
  return `parley:pod:${podId}`;
}

/**
 * Returns how many clients received it: zero means that the pod may be gone. Undefined in a cluster,
 * whose nodes only count their own subscribers.
 */
export async function publishTo(
  redis: Publisher,
  podId: string,
  hint: PodHint,
): Promise<number | undefined> {
  const receivers = await redis.publish(podChannel(podId), `${hint.kind} ${hint.id}`);
  return isOneNode(redis) ? receivers : undefined;
}

/** Parses a message on a pod's channel; undefined if it is not ours. */
export function readHint(message: string): PodHint | undefined {
  const [kind = '', id = '', ...rest] = message.split(' ');
  const known = kinds.find((name) => name === kind);
  return known && id !== '' && rest.length === 0 ? { kind: known, id } : undefined;
}
