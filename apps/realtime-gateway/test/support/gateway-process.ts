import { appProgram, runNode, type RunningProgram } from '@parley/testkit';
import type { Stage } from './stage.js';

const main = appProgram('realtime-gateway');

type Ports = { port: number; internalPort: number };

/** A gateway as it is deployed: its own process, configured by environment. */
export class GatewayProcess {
  readonly #program: RunningProgram;
  readonly #ports: Ports;

  private constructor(program: RunningProgram, ports: Ports) {
    this.#program = program;
    this.#ports = ports;
  }

  static async start(env: Record<string, string>): Promise<GatewayProcess> {
    const own = { PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'trace' };
    const program = runNode([main], {
      env: { ...own, FAILED_ATTEMPTS_PER_MINUTE: '1000000', ...env },
    });
    const ready = await program.line(/"msg":"ready"/);
    return new GatewayProcess(program, JSON.parse(ready) as Ports);
  }

  /** On the stores of a stage, for a provider that accepts any key. */
  static onStage(
    { stores }: Pick<Stage, 'stores'>,
    provider: { readonly url: string },
    env: Record<string, string> = {},
  ): Promise<GatewayProcess> {
    return GatewayProcess.start({
      REDIS_URL: stores.redisUrl,
      DATABASE_URL: stores.databaseUrl,
      SECRETS_KEY: stores.secretsKey,
      PROVIDER_KIND: 'openai-compatible',
      PROVIDER_BASE_URL: provider.url,
      PROVIDER_API_KEY: 'sk-test',
      ...env,
    });
  }

  get output(): string {
    return this.#program.output;
  }

  get exited(): Promise<number | null> {
    return this.#program.ended;
  }

  get origin(): string {
    return `ws://127.0.0.1:${this.#ports.port}`;
  }

  async internal(path: string): Promise<{ status: number; body: string }> {
    const response = await fetch(`http://127.0.0.1:${this.#ports.internalPort}${path}`);
    return { status: response.status, body: await response.text() };
  }

  freeze(): void {
    this.#program.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#program.child.kill('SIGCONT');
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.#program.child.kill(signal);
    return this.exited;
  }
}
