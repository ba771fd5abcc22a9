import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import {
  appProgram,
  migratedDatabase,
  runNode,
  temporaryFolder,
  testRedis,
  waitFor,
  type MigratedDatabase,
  type RunningProgram,
} from '@parley/testkit';

const organizationId = randomUUID();
const apiKey = randomBytes(24).toString('hex');

type SpanData = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: object }[];
};
type Export = { resourceSpans: { scopeSpans: { spans: SpanData[] }[] }[] };

describe('traces', () => {
  let database: MigratedDatabase;
  let simulator: Simulator;
  let collector: Server;
  let env: Record<string, string>;
  const spans: SpanData[] = [];
  const bodies: string[] = [];

  before(async () => {
    database = await migratedDatabase();
    simulator = await startSimulator();
    collector = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        bodies.push(body);
        const { resourceSpans } = JSON.parse(body) as Export;
        spans.push(
          ...resourceSpans.flatMap((of) => of.scopeSpans.flatMap(({ spans: some }) => some)),
        );
        response.setHeader('content-type', 'application/json').end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    env = {
      ...{ PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1' },
      DATABASE_URL: database.url,
      REDIS_URL: (await testRedis()).url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_ORG_ID: organizationId,
      BOOTSTRAP_API_KEY: apiKey,
      PROVIDER_KIND: 'openai-compatible',
      PROVIDER_BASE_URL: simulator.url,
      PROVIDER_API_KEY: 'any',
      DRAIN_LAG_SECONDS: '0',
      DRAIN_TIMEOUT_SECONDS: '20',
    };
  });
  after(async () => {
    collector.close();
    collector.closeAllConnections();
    await simulator.close();
    await database.drop();
  });

  const start = async (app: string, more: Record<string, string>) => {
    const program = runNode([appProgram(app)], { env: { ...env, ...more } });
    const { port } = JSON.parse(await program.line(/"msg":"ready"/)) as { port: number };
    return { program, origin: `127.0.0.1:${port}` };
  };
  const end = async ({ child, ended }: RunningProgram) => {
    child.kill('SIGTERM');
    expect(await ended).to.equal(0);
  };

  const traced = () => {
    const { port } = collector.address() as AddressInfo;
    return { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  };

  it('are one per session, from its creation over REST to its tool calls', async () => {
    const api = await start('api', traced());
    const gateway = await start('realtime-gateway', traced());
    const post = async (path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        'x-org-id': organizationId,
      };
      const answer = await fetch(`http://${api.origin}/api/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(answer.ok, await answer.clone().text()).to.equal(true);
      return (await answer.json()) as Record<string, string>;
    };
    const tool = { kind: 'builtin', name: 'current_time' };
    const { id } = await post('/Agent', { name: 'Traced', systemMessage: '', tools: [tool] });
    const session = await post(`/Agent/${id}/realtime-session`, {});
    await converse(`ws://${gateway.origin}${session['webSocketPath']}`);
    await end(gateway.program);
    await end(api.program);

    const named = (name: string) => {
      const found = spans.filter((span) => span.name === name);
      expect(found, name).to.have.length(1);
      return found[0]!;
    };
    const issue = named('POST /Agent/{agentId}/realtime-session');
    const whole = named('session');
    expect(whole).to.include({ traceId: issue.traceId, parentSpanId: issue.spanId });
    for (const name of ['admit', 'provider connect', 'tool call'])
      expect(named(name)).to.include({ traceId: issue.traceId, parentSpanId: whole.spanId });
    const written = bodies.join('\n');
    for (const secret of [apiKey, session['sessionId']!, 'whispered'])
      expect(written).to.not.include(secret);
  });

  it('cost nothing when nobody asked for them: OpenTelemetry is not even loaded', async () => {
    const loadedWith = async (app: string, more: Record<string, string>) => {
      const folder = await temporaryFolder();
      await end((await start(app, { NODE_V8_COVERAGE: folder, ...more })).program);
      const [file = ''] = readdirSync(folder);
      return readFileSync(join(folder, file), 'utf8');
    };
    const exporter = 'otlp-tracing';
    expect(await loadedWith('worker', traced())).to.include(exporter);
    for (const app of ['api', 'realtime-gateway', 'worker'])
      expect(await loadedWith(app, {}))
        .to.include(`dist/${app}.js`)
        .and.not.include(exporter);
  });
});

/** Lets the agent call its tool, then leaves. */
async function converse(url: string): Promise<void> {
  const socket = new WebSocket(url);
  const types: string[] = [];
  socket.on('message', (data: Buffer) => {
    types.push((JSON.parse(data.toString()) as { type: string }).type);
  });
  const seen = (type: string) => waitFor(() => types.includes(type), { what: type });
  await seen('session.updated');
  const content = [{ type: 'input_text', text: 'whispered !call current_time {}' }];
  for (const event of [
    { type: 'conversation.item.create', item: { type: 'message', role: 'user', content } },
    { type: 'response.create' },
  ])
    socket.send(JSON.stringify(event));
  await seen('response.function_invocation.done');
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}
