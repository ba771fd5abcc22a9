import type { Redis } from 'ioredis';

/** Something about this id has changed: the pod reads the state for itself. A hint may be lost, and says nothing that is not stored. */
export type PodHint = { readonly kind: PodHintKind; readonly id: string };

const kinds = ['approval', 'session', 'run'] as const;
export type PodHintKind = (typeof kinds)[number];

export type Publisher = Pick<Redis, 'publish'>;

/** The channel on which one pod is told what concerns it. */
export function podChannel(podId: string): string {
  return `parley:pod:${podId}`;
}

/** Tells how many heard it: none means that the pod may be gone. */
export async function publishTo(redis: Publisher, podId: string, hint: PodHint): Promise<number> {
  return redis.publish(podChannel(podId), `${hint.kind} ${hint.id}`);
}

/** What a message on a pod's channel says; nothing for one that is not ours. */
export function readHint(message: string): PodHint | undefined {
  const [kind = '', id = '', ...rest] = message.split(' ');
  const known = kinds.find((name) => name === kind);
  return known && id !== '' && rest.length === 0 ? { kind: known, id } : undefined;
}
