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

/** An admitted client, and the address of its provider. */
export type Opening = {
  readonly kind: 'opening';
  readonly admitted: Admitted;
  readonly endpoint: RealtimeEndpoint;
  readonly lookup: LookupFunction | undefined;
  readonly secret: string | null;
};

type Choice = {
  readonly settings: { readonly REALTIME_MODEL: string };
  readonly defaultConnection: ProviderConnection | undefined;
  readonly egress: Pick<Egress, 'check' | 'lookup'>;
};

/** The agent's own connection, which the egress guard checks, or the deployment's. */
export function chooseProvider(
  admitted: Admitted,
  { settings, defaultConnection, egress }: Choice,
): Opening | Refusal {
  const connection = connectionFor(admitted.connection, defaultConnection);
  const model = admitted.agent.model ?? settings.REALTIME_MODEL;
  const endpoint = connection && realtimeEndpoint({ ...connection, model });
  if (!endpoint) return refuseSession('RealtimeUnsupportedConnection');
  const isOurs = connection === defaultConnection;
  const lookup = isOurs ? undefined : guardedLookup(endpoint, egress);
  if (!isOurs && !lookup) return refuseSession('RealtimeUnsupportedConnection');
  return { kind: 'opening', admitted, endpoint, lookup, secret: connection.secret };
}
