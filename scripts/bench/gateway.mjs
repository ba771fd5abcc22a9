// The gateway with stores that accept everything, to measure the relay and not Redis. With the URL
// of a PostgreSQL server, it stores the record there.
import { createServer } from 'node:http';
import { createGateway } from '@parley/realtime-gateway';
import { createLogger, createMetrics, readConfig } from '@parley/service-kit';
import { openRecord } from './record.mjs';
import { report } from './report.mjs';

const [providerUrl, databaseUrl] = process.argv.slice(2);

const { config } = readConfig('realtime-gateway', {
  REDIS_URL: 'redis://unused',
  DATABASE_URL: 'postgres://unused',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
});
const id = '00000000-0000-4000-8000-000000000000';
const ticket = {
  organizationId: id,
  agentId: id,
  conversationId: id,
  keyId: id,
  voice: 'alloy',
  inputAudioFormat: 'pcm16',
  outputAudioFormat: 'pcm16',
  additionalInstructions: null,
  clientTools: [],
  fileIds: [],
};
const agent = { systemMessage: '', model: null, tools: [] };
const past = { history: [], lastPosition: 0 };
const admitted = { outcome: 'admitted', agent, connection: null, ...past, maxSessions: Infinity };
const nothing = () => undefined;
const recorder = {
  message: nothing,
  amend: nothing,
  rewrite: nothing,
  usage: nothing,
  end: nothing,
};
const calls = { start: nothing, cancel: nothing, decide: nothing, end: nothing };
const sessionTools = { listed: Promise.resolve([]), calls: () => calls, close: async () => {} };
const unlimited = { unusableKeys: async () => new Set(), withoutTokens: async () => new Set() };
const logger = createLogger({ app: 'bench', level: 'warn' });
const { registry } = createMetrics({ app: 'bench' });
const gateway = createGateway({
  settings: config,
  logger,
  registry,
  tokens: { consume: async () => ({ outcome: 'redeemed', ticket }) },
  records: {
    ...unlimited,
    ...(databaseUrl
      ? await openRecord({ url: databaseUrl, settings: config, logger, registry })
      : { admit: async () => admitted, recorder: () => recorder }),
  },
  tools: {
    open: () => sessionTools,
    look: nothing,
    reread: nothing,
    close: async () => {},
  },
  live: { enter: async () => true, beat: async () => [], forget: async () => {} },
  pod: 'bench',
  quotaMetrics: { refused: nothing },
  attempts: { refusedFor: nothing, failed: async () => {} },
  clientAddress: () => '',
  defaultConnection: { kind: 'openai-compatible', baseUrl: providerUrl, secret: null },
});
const server = createServer();
server.on('request', gateway.handleRequest).on('upgrade', gateway.handleUpgrade);
server.listen(0, '127.0.0.1', () => report(server.address().port));
