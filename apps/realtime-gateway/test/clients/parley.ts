import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { spokenAudio } from '@parley/provider-simulator';
import { appProgram, createPrivateCa, runNode, temporaryFolder } from '@parley/testkit';

const main = appProgram('standalone');

type Credentials = { baseUrl: string; organizationId: string; apiKey: string };

/** Parley as its users meet it: one process, behind TLS, with an agent that has tools. */
export type Parley = {
  /** https://localhost:port/v1 */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The file of who signed the certificate. */
  readonly ca: string;
  /** The file of what the user says. */
  readonly speech: string;
  request<T>(method: string, path: string, body?: object): Promise<T>;
  newAgent(): Promise<string>;
  /** What a backend gives to a browser: opens one session with the agent. */
  newSecret(agentId: string): Promise<string>;
  stop(): Promise<void>;
};

export const spokenWords = 'Good morning';

export async function startParley(): Promise<Parley> {
  const folder = await temporaryFolder();
  const speech = join(folder, 'speech.pcm');
  await writeFile(speech, spokenAudio(spokenWords, { silenceMs: 0 }));
  const [tools, ca] = await Promise.all([startToolServer(), createPrivateCa()]);
  const dataDir = join(folder, 'data');
  const env = { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: dataDir, TOOL_EGRESS_ALLOW: '127.0.0.1' };
  const program = runNode([main], { env: { ...env, RATE_LIMIT_PER_MINUTE: '100000' } });
  await program.line(/Parley is ready/);
  const file = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  const { baseUrl, organizationId, apiKey } = JSON.parse(file) as Credentials;
  const secure = await terminateTls(ca, Number(new URL(baseUrl).port));
  const { origin } = new URL(baseUrl);
  const newSecret = async (model: string) => {
    const response = await fetch(`${origin}/v1/realtime/client_secrets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ session: { type: 'realtime', model } }),
    });
    return ((await response.json()) as { value: string }).value;
  };
  const request = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId };
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const newAgent = async () => {
    const http = { kind: 'http', description: 'D', method: 'POST', url: tools.url };
    const call = (name: string, argument: object) => ({
      ...{ ...http, name, parameters: { type: 'object', properties: argument } },
    });
    const agentTools = [
      call('look_up', { id: { type: 'string' } }),
      { ...call('pay', { amount: { type: 'number' } }), approvalRequired: true },
    ];
    const fields = { name: 'Ada', systemMessage: 'Be kind.', tools: agentTools };
    return (await request<{ id: string }>('POST', '/Agent', fields)).id;
  };
  return {
    ...{ baseUrl: `https://localhost:${secure.port}/v1`, apiKey, ca: ca.ca, speech },
    ...{ request, newAgent, newSecret },
    async stop() {
      secure.close();
      tools.close();
      program.child.kill('SIGINT');
      await program.ended;
    },
  };
}

async function startToolServer(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => response.end('{"text":"done"}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

async function terminateTls(
  { certificate, key }: { certificate: string; key: string },
  port: number,
): Promise<{ port: number; close(): void }> {
  const options = { cert: await readFile(certificate), key: await readFile(key) };
  const server = createTlsServer(options, (outside) => {
    const inside = connect(port, '127.0.0.1');
    outside.pipe(inside).pipe(outside);
    outside.on('error', () => inside.destroy()).on('close', () => inside.destroy());
    inside.on('error', () => outside.destroy()).on('close', () => outside.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
