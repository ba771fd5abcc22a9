import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

type Ports = { port: number; internalPort: number };

/** A gateway as it is deployed: its own process, configured by environment. */
export class GatewayProcess {
  readonly output: string[] = [];
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  #ports: Ports = { port: 0, internalPort: 0 };

  private constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, [main], {
      env: {
        ...{ PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'trace' },
        FAILED_ATTEMPTS_PER_MINUTE: '1000000',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.#child, 'exit').then(([code]) => code as number | null);
  }

  static async start(env: Record<string, string>): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(env);
    const { stdout, stderr } = gateway.#child;
    if (!stdout || !stderr) throw new Error('The process has no output.');
    stderr.on('data', (chunk: Buffer) => gateway.output.push(chunk.toString()));
    const ready = new Promise<Ports>((resolve) => {
      createInterface({ input: stdout }).on('line', (line) => {
        gateway.output.push(line);
        if (line.includes('"msg":"ready"')) resolve(JSON.parse(line) as Ports);
      });
    });
    const died = gateway.exited.then((): never => {
      throw new Error(`The gateway did not start: ${gateway.output.join('\n')}`);
    });
    gateway.#ports = await Promise.race([ready, died]);
    died.catch(() => undefined);
    return gateway;
  }

  get origin(): string {
    return `ws://127.0.0.1:${this.#ports.port}`;
  }

  async internal(path: string): Promise<{ status: number; body: string }> {
    const response = await fetch(`http://127.0.0.1:${this.#ports.internalPort}${path}`);
    return { status: response.status, body: await response.text() };
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited;
  }
}
