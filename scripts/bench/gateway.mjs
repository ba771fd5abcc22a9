// The gateway with stores that always say yes: what is measured is the relay, not Redis. With the address of a PostgreSQL
// it keeps the record there.
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
};
const agent = { systemMessage: '', model: null, tools: [] };
const admitted = { outcome: 'admitted', agent, connection: null, history: [], lastPosition: 0 };
const nothing = () => undefined;
const recorder = { message: nothing, amend: nothing, usage: nothing, end: nothing };
const logger = createLogger({ app: 'bench', level: 'warn' });
const { registry } = createMetrics({ app: 'bench' });
const gateway = createGateway({
  settings: config,
  logger,
  registry,
  tokens: { consume: async () => ({ outcome: 'redeemed', ticket }) },
  records: databaseUrl
    ? await openRecord({ url: databaseUrl, settings: config, logger, registry })
    : { admit: async () => admitted, recorder: () => recorder },
  quotaMetrics: { refused: nothing },
  attempts: { refusedFor: nothing, failed: async () => {} },
  clientAddress: () => '',
  defaultConnection: { kind: 'openai-compatible', baseUrl: providerUrl, secret: null },
});
const server = createServer();
server.on('request', gateway.handleRequest).on('upgrade', gateway.handleUpgrade);
server.listen(0, '127.0.0.1', () => report(server.address().port));
