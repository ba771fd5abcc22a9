import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  programPath,
  runProgram,
  temporaryFolder,
  waitFor,
  type RunningProgram,
} from '@parley/testkit';
import { listeningPort } from './app-process.js';
import { isWhole } from './proof-scale.js';

export const loadBalancerConfig = join(import.meta.dirname, '../../haproxy.cfg');

/** A server behind the load balancer. */
export type Backend = { readonly port: number; readonly internalPort: number };
export type LoadBalancer = {
  readonly origin: string;
  /** What the health check of its container asks. */
  readonly health: string;
  readonly program: RunningProgram;
  /** Kills it, which cuts every connection, and starts it again. */
  restart(): Promise<void>;
};

/** HAProxy as it is deployed, with other addresses; it looks more often at servers that drain more quickly. Resolves when it has found every server healthy. */
export async function startLoadBalancer(backends: {
  apis: readonly Backend[];
  gateways: readonly Backend[];
}): Promise<LoadBalancer> {
  const [port, healthPort] = [await listeningPort(), await listeningPort()];
  const servers = (name: string, list: readonly Backend[]) =>
    list
      .map((at, n) => `    server ${name}${n + 1} 127.0.0.1:${at.port} port ${at.internalPort}`)
      .join('\n');
  const config = (await readFile(loadBalancerConfig, 'utf8'))
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('bind 127.0.0.1:8081', `bind 127.0.0.1:${healthPort}`)
    .replace(/^.*server-template api .*$/m, servers('api', backends.apis))
    .replace(/^.*server-template gateway .*$/m, servers('gateway', backends.gateways))
    .replace(' init-addr none resolvers docker', '')
    .replace('inter 2s', isWhole ? 'inter 2s' : 'inter 500ms');
  const file = join(await temporaryFolder(), 'haproxy.cfg');
  await writeFile(file, config);
  const origin = `http://127.0.0.1:${port}`;
  const start = async () => {
    const started = runProgram(programPath('haproxy'), ['-db', '-f', file]);
    const answers = () =>
      fetch(origin).then(
        (answer) => answer.status < 500,
        () => false,
      );
    await waitFor(answers, { what: 'the load balancer to answer' });
    return started;
  };
  let program = await start();
  return {
    origin,
    health: `http://127.0.0.1:${healthPort}/readyz`,
    get program() {
      return program;
    },
    async restart() {
      await program.stop();
      program = await start();
    },
  };
}
