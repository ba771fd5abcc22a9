import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import type { Server } from './server-source.js';

const PING_TIMEOUT_MS = 3_000;

/**
 * Whether a Docker engine responds on its socket. Checked before testcontainers is loaded, which is
 * slow.
 */
export async function dockerAnswers(
  host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock',
): Promise<boolean> {
  const url = new URL(host);
  const target =
    url.protocol === 'unix:'
      ? { socketPath: url.pathname }
      : { host: url.hostname, port: url.port };
  if ('socketPath' in target && !(await isThere(target.socketPath))) return false;
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: PING_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });
}

export async function dockerRedis(databases: number): Promise<Server | undefined> {
  if (!(await dockerAnswers())) return undefined;
  const { GenericContainer, Wait } = await import('testcontainers');
  const image = 'redis:7-alpine';
  const args = ['--save', '', '--appendonly', 'no', '--databases', String(databases)];
  const container = new GenericContainer(image)
    .withCommand(['redis-server', ...args])
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'));
  return run({ container, port: 6379, image, scheme: 'redis://' });
}

export async function dockerPostgres(): Promise<Server | undefined> {
  if (!(await dockerAnswers())) return undefined;
  const { GenericContainer, Wait } = await import('testcontainers');
  const image = 'postgres:16-alpine';
  const container = new GenericContainer(image)
    .withEnvironment({ POSTGRES_PASSWORD: 'testkit' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    // The first "ready" belongs to the server that the image's own setup uses.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2));
  return run({ container, port: 5432, image, scheme: 'postgres://postgres:testkit@' });
}

async function run(start: {
  container: GenericContainer;
  port: number;
  image: string;
  scheme: string;
}): Promise<Server> {
  const { container, port, image, scheme } = start;
  const started: StartedTestContainer = await container.withExposedPorts(port).start();
  return {
    url: `${scheme}${started.getHost()}:${started.getMappedPort(port)}`,
    from: `Docker (${image})`,
    stop: async () => {
      await started.stop();
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
