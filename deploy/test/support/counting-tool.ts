import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What an agent's tool does in the world outside: it knows by itself how often it was done. */
export class CountingTool {
  readonly #runs = new Map<string, number>();
  readonly #server: Server;

  private constructor(takesMs: number) {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://tool');
      const done = () =>
        response.setHeader('Content-Type', 'application/json').end('{"text":"Done."}');
      request.resume().on('end', () => {
        this.#runs.set(pathname.slice(1), this.runs(pathname.slice(1)) + 1);
        void delay(takesMs).then(done);
      });
    });
  }

  static async start({ takesMs = 0 } = {}): Promise<CountingTool> {
    const tool = new CountingTool(takesMs);
    await once(tool.#server.listen(0, '127.0.0.1'), 'listening');
    return tool;
  }

  get definition() {
    const { port } = this.#server.address() as AddressInfo;
    return {
      kind: 'http',
      name: 'pay',
      description: 'Pays a bill.',
      method: 'POST',
      url: `http://127.0.0.1:${port}/{{bill}}`,
      parameters: { type: 'object', properties: { bill: { type: 'string' } }, required: ['bill'] },
      approvalRequired: true,
    };
  }

  runs(bill: string): number {
    return this.#runs.get(bill) ?? 0;
  }

  stop(): void {
    this.#server.close().closeAllConnections();
  }
}
