import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { closeCodes, renewalReasons, type CloseName, type RenewalReason } from '@parley/protocol';
import { unavailabilities } from './admission/refusal.js';
import { renewalFailures, type RenewalFailure } from './core/provider-side.js';
import { clientRoutes, type ClientRoute } from './core/client-routes.js';
import { providerRoutes, type ProviderRoute } from './core/provider-routes.js';

/**
 * How a session ended: as catalogued, or because the client vanished or broke the WebSocket
 * protocol.
 */
export type EndName = CloseName | 'ClientGone' | 'ProtocolError';

const endNames: readonly EndName[] = [
  ...(Object.keys(closeCodes) as CloseName[]),
  'ClientGone',
  'ProtocolError',
];

/** Refusals worth an alert: those answered with 5xx, and floods of wrong tokens. */
const troubles = [...unavailabilities, 'internal', 'rate-limited'];

export type Amount = { frames: number; bytes: number };

/** Plain numbers, because they change with every frame; read when metrics are collected. */
export type RelayTally = {
  readonly client: Readonly<Record<ClientRoute, Amount>>;
  readonly provider: Readonly<Record<ProviderRoute, Amount>>;
};

export type GatewayMetrics = {
  readonly tally: RelayTally;
  admitted(): void;
  refused(reason: string): void;
  ended(name: EndName): void;
  connected(seconds: number): void;
  /** A connection to a provider could not be opened for a new session. */
  notConnected(): void;
  /** A session continues on another connection to a provider. */
  renewed(reason: RenewalReason): void;
  /** An attempt to do so has failed. */
  notRenewed(failure: RenewalFailure): void;
  readonly firstAudio: (seconds: number) => void;
};

export function gatewayMetrics(registry: Registry, activeSessions: () => number): GatewayMetrics {
  const registers = [registry];
  const tally = { client: emptyTally(clientRoutes), provider: emptyTally(providerRoutes) };
  const admitted = new Counter({
    name: 'parley_realtime_sessions_admitted_total',
    help: 'Sessions whose token was redeemed.',
    registers,
  });
  const refused = new Counter({
    name: 'parley_realtime_sessions_refused_total',
    help: 'Refused WebSocket upgrades, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const ended = new Counter({
    name: 'parley_realtime_sessions_ended_total',
    help: 'Sessions that ended, by the name of the close code.',
    labelNames: ['close'],
    registers,
  });
  const connected = new Histogram({
    name: 'parley_realtime_provider_connect_seconds',
    help: 'Time from dialling the provider until it is ready, including the wait for slow MCP servers.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const notConnected = new Counter({
    name: 'parley_realtime_provider_connect_failures_total',
    help: 'Connections for new sessions that failed: the provider was unreachable, refused, or was not ready in time.',
    registers,
  });
  const renewed = new Counter({
    name: 'parley_realtime_provider_renewals_total',
    help: 'Sessions that continued on another connection to a provider, by the reason.',
    labelNames: ['reason'],
    registers,
  });
  const notRenewed = new Counter({
    name: 'parley_realtime_provider_renewal_failures_total',
    help: 'Failed attempts to continue a session on another connection to a provider, by the reason.',
    labelNames: ['reason'],
    registers,
  });
  const firstAudio = new Histogram({
    name: 'parley_realtime_first_audio_seconds',
    help: 'Time until the agent is heard: from when the gateway receives the provider’s speech_stopped, or the client’s response.create if that is later, until it receives the next audio delta.',
    buckets: [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30],
    registers,
  });
  new Gauge({
    name: 'parley_realtime_sessions_active',
    help: 'Open sessions.',
    registers,
    collect() {
      this.set(activeSessions());
    },
  });
  countRelayed(registry, tally);
  // A series that starts with its first event would hide that event from rate().
  for (const close of endNames) ended.inc({ close }, 0);
  for (const reason of Object.keys(renewalReasons)) renewed.inc({ reason }, 0);
  for (const reason of renewalFailures) notRenewed.inc({ reason }, 0);
  for (const reason of troubles) refused.inc({ reason }, 0);
  return {
    tally,
    admitted: () => admitted.inc(),
    refused: (reason) => refused.inc({ reason }),
    ended: (close) => ended.inc({ close }),
    connected: (seconds) => connected.observe(seconds),
    notConnected: () => notConnected.inc(),
    renewed: (reason) => renewed.inc({ reason }),
    notRenewed: (reason) => notRenewed.inc({ reason }),
    firstAudio: (seconds) => firstAudio.observe(seconds),
  };
}

function countRelayed(registry: Registry, tally: RelayTally): void {
  for (const unit of ['frames', 'bytes'] as const)
    new Counter({
      name: `parley_realtime_${unit}_total`,
      help: `Relayed ${unit}, by sender and route.`,
      labelNames: ['from', 'route'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [from, routes] of Object.entries(tally))
          for (const [route, amount] of Object.entries(routes))
            this.inc({ from, route }, amount[unit]);
      },
    });
}

export function emptyTally<Route extends string>(
  routes: Record<Route, string>,
): Record<Route, Amount> {
  const names = Object.keys(routes) as Route[];
  const entries = names.map((route) => [route, { frames: 0, bytes: 0 }] as const);
  return Object.fromEntries(entries) as Record<Route, Amount>;
}
