import type { LookupFunction } from 'node:net';
import { EgressRefused, type Egress } from '@parley/egress';
import type { ProviderConnection } from './default-connection.js';
import { providerBase } from './provider-base.js';

/** The connection and model of a realtime session. */
export type RealtimeTarget = ProviderConnection & { readonly model: string };

export type RealtimeEndpoint = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Undefined if the connection has no base URL and its kind has no default. */
export function realtimeEndpoint(target: RealtimeTarget): RealtimeEndpoint | undefined {
  const base = providerBase(target);
  if (!base) return undefined;
  const url = new URL(base.url);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/realtime`;
  url.searchParams.set('model', target.model);
  return { url: url.href, headers: base.headers };
}

/** The lookup for an endpoint that a tenant chose; undefined if it may not be reached. */
export function guardedLookup(
  endpoint: RealtimeEndpoint,
  egress: Pick<Egress, 'check' | 'lookup'>,
): LookupFunction | undefined {
  try {
    return egress.lookup(egress.check(endpoint.url));
  } catch (error) {
    if (error instanceof EgressRefused) return undefined;
    throw error;
  }
}
