import { once } from 'node:events';
import { createServer } from 'node:net';
import { appProgram, runNode, waitFor, type RunningProgram } from '@parley/testkit';

export type AppName = 'api' | 'realtime-gateway' | 'worker' | 'provider-simulator';
type Env = Record<string, string>;

/** One pod: an app in a process of its own, which keeps its ports when it is started again. */
export class AppProcess {
  readonly app: AppName;
  readonly port: number;
  readonly internalPort: number;
  readonly #env: Env;
  readonly #file: string;
  #program!: RunningProgram;

  private constructor(app: AppName, env: Env, place: { file: string; ports: [number, number] }) {
    this.app = app;
    this.#file = place.file;
    [this.port, this.internalPort] = place.ports;
    this.#env = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...env };
  }

  /** Resolves when it is spawned, not when it is ready. */
  static async start(app: AppName, env: Env, file = appProgram(app)): Promise<AppProcess> {
    const ports: [number, number] = [await listeningPort(), await listeningPort()];
    const process = new AppProcess(app, env, { file, ports });
    process.#spawn();
    return process;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The id of the process that runs now, or ran last. */
  get pid(): number {
    return this.#program.child.pid!;
  }

  get output(): string {
    return this.#program.output;
  }

  /** The exit code of the process that runs now, or ran last. */
  get ended(): Promise<number | null> {
    return this.#program.ended;
  }

  /** Starts it again after it has ended, and resolves when it is ready. */
  async restart(env: Env = {}): Promise<void> {
    this.#spawn(env);
    await this.ready();
  }

  async ready(): Promise<this> {
    let over = false;
    const program = this.#program;
    void program.ended.then(() => (over = true));
    const ready = async () => {
      if (over) throw new Error(`${this.app} ended while it was starting:\n${program.output}`);
      return (await this.health('/readyz')) === 200;
    };
    await waitFor(ready, { what: `${this.app} to be ready`, timeoutMs: 60_000 });
    return this;
  }

  /** The status of /livez or /readyz; 0 when nobody answers. */
  async health(path: '/livez' | '/readyz'): Promise<number> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.internalPort}${path}`);
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  /** The sum of a metric over its labels. */
  async metric(name: string): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.internalPort}/metrics`);
    const lines = (await response.text()).split('\n');
    const values = lines.filter(
      (line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `),
    );
    return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  signal(signal: NodeJS.Signals): void {
    this.#program.child.kill(signal);
  }

  /** Asks it to stop, and answers with its exit code. */
  async term(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.ended;
  }

  async kill(): Promise<void> {
    await this.#program.stop();
  }

  #spawn(env: Env = {}): void {
    this.#program = runNode([this.#file], {
      env: {
        ...this.#env,
        ...(this.app !== 'worker' && { PORT: String(this.port) }),
        INTERNAL_PORT: String(this.internalPort),
        ...env,
      },
    });
  }
}

/**
 * A free port below those that the system gives to outgoing connections, of which there are thousands here: a process that is started again
 * must find its port free.
 */
export async function listeningPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
