import type { LookupFunction } from 'node:net';
import type { Egress } from '@parley/egress';
import {
  connectionFor,
  guardedLookup,
  realtimeEndpoint,
  type ProviderConnection,
  type RealtimeEndpoint,
} from '@parley/providers';
import type { Admitted } from './admit.js';
import { refuseSession, type Refusal } from './refusal.js';

/** A connection of a session: the address of its provider. */
export type Target = {
  /** Null is the deployment's default connection. */
  readonly connectionId: string | null;
  readonly endpoint: RealtimeEndpoint;
  readonly lookup: LookupFunction | undefined;
  readonly secret: string | null;
};

/** An admitted client, and where its provider may be, in the order in which that is tried. */
export type Opening = {
  readonly kind: 'opening';
  readonly admitted: Admitted;
  readonly targets: readonly Target[];
};

type Choice = {
  readonly settings: { readonly REALTIME_MODEL: string };
  readonly defaultConnection: ProviderConnection | undefined;
  readonly egress: Pick<Egress, 'check' | 'lookup'>;
};

/**
 * The agent's own connection, which the egress guard checks, or the deployment's; then those of the
 * agent's fallbacks that can be used.
 */
export function chooseProvider(admitted: Admitted, choice: Choice): Opening | Refusal {
  const model = admitted.agent.model ?? choice.settings.REALTIME_MODEL;
  const targetOf = (connectionId: string | null, own: ProviderConnection | null) =>
    findTarget({ connectionId, own, model }, choice);
  const first = targetOf(admitted.connectionId, admitted.connection);
  if (!first) return refuseSession('RealtimeUnsupportedConnection');
  const fallbacks = admitted.fallbacks
    .filter(({ models }) => models.length === 0 || models.includes(model))
    .flatMap((fallback) => targetOf(fallback.id, fallback) ?? []);
  return { kind: 'opening', admitted, targets: [first, ...fallbacks] };
}

type Wanted = {
  readonly connectionId: string | null;
  readonly own: ProviderConnection | null;
  readonly model: string;
};

function findTarget(
  { connectionId, own, model }: Wanted,
  { defaultConnection, egress }: Choice,
): Target | undefined {
  const connection = connectionFor(own, defaultConnection);
  const endpoint = connection && realtimeEndpoint({ ...connection, model });
  if (!endpoint) return undefined;
  const { secret } = connection;
  if (connection === defaultConnection)
    return { connectionId, endpoint, lookup: undefined, secret };
  const lookup = guardedLookup(endpoint, egress);
  return lookup && { connectionId, endpoint, lookup, secret };
}
