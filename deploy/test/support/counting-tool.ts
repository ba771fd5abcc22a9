import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an agent's tool does in the world outside: it knows by itself how often it was done. */
export class CountingTool {
  readonly #runs = new Map<string, number>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://tool');
      request.resume().on('end', () => {
        this.#runs.set(pathname.slice(1), this.runs(pathname.slice(1)) + 1);
        response.setHeader('Content-Type', 'application/json').end('{"text":"Done."}');
      });
    });
  }

  static async start(): Promise<CountingTool> {
    const tool = new CountingTool();
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
