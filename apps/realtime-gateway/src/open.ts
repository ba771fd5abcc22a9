import { randomUUID } from 'node:crypto';
import { unusableOpeners, type RecordJournal } from '@parley/database';
import type { Parts } from '@parley/parts';
import { quotaNames } from '@parley/protocol';
import { quotaMetrics, unusable, type AppConfig, type Served } from '@parley/service-kit';
import { createLiveSessions, createResumePaths, createSessionTokens } from '@parley/session-store';
import { countFailedUpgrades } from './admission/count-failures.js';
import { doorStores, openDoor } from './admission/open-door.js';
import { createGateway, type Gateway, type GatewayOptions } from './gateway.js';
import { listenAsPod } from './pod.js';
import { Presence } from './presence/presence.js';
import { createSessionRecords } from './records/session-records.js';
import { openTools } from './tools/open-tools.js';

export type GatewayParts = Parts<AppConfig<'realtime-gateway'>> & {
  readonly limits?: GatewayOptions['limits'];
  /** Replaces the tokens on the stores. */
  readonly tokens?: GatewayOptions['tokens'];
  readonly recording?: Recording;
  /** Guards the connections that organizations configure, if the tools have a separate guard. */
  readonly aimed?: GatewayOptions['egress'];
};

/** The session records, and the journal that also takes the outcomes of their tool calls. */
type Recording = Pick<GatewayOptions, 'records'> & { readonly journal: RecordJournal };

export type OpenGateway = Served & { readonly gateway: Gateway };

/** Opens the gateway of this process, under its own name. */
export async function open(given: GatewayParts): Promise<OpenGateway> {
  const { config, logger, registry, lifecycle, budget, database, redis, redisOptions } = given;
  const shared = { ...given, settings: config, pod: randomUUID() };
  const live = createLiveSessions(redis);
  const presence = new Presence({
    live,
    pod: shared.pod,
    unusableOpeners: (ids) => database.asSystem((system) => unusableOpeners(system, ids)),
    onError: (err) => logger.warn({ err }, 'session heartbeat failed'),
  });
  lifecycle.add('presence', () => presence.close());
  const { records, journal } = given.recording ?? openRecording(given);
  const tools = await openTools({ ...shared, journal, closeMs: budget.toolsMs }).catch(
    unusable('REDIS_URL'),
  );
  lifecycle.add('tools', () => tools.close());
  const counted = {
    ...countFailedUpgrades(redis, config),
    quotaMetrics: quotaMetrics(registry, quotaNames),
  };
  const gateway = createGateway({
    ...shared,
    ...counted,
    egress: given.aimed ?? given.egress,
    drainMs: budget.workMs,
    tokens: given.tokens ?? createSessionTokens(redis),
    live,
    presence,
    paths: createResumePaths(redis),
    address: given.internal?.address,
    records,
    tools,
    door: config.OPENAI_DOOR
      ? openDoor({ ...shared, ...counted, ...doorStores(redis, config), database })
      : undefined,
  });
  const subscriber = await listenAsPod(redisOptions, gateway).catch(unusable('REDIS_URL'));
  lifecycle.add('subscriber', () => subscriber.close());
  given.internal?.onUpgrade(gateway.handlePeerUpgrade);
  const { handleRequest: handle, handleUpgrade: upgrade, drain } = gateway;
  return { gateway, handle, upgrade, drain };
}

function openRecording({ lifecycle, budget, ...parts }: GatewayParts): Recording {
  const limits = { closeMs: budget.journalMs };
  const records = createSessionRecords({ ...parts, settings: parts.config, limits });
  lifecycle.add('record', () => records.close());
  return { records, journal: records.journal };
}
