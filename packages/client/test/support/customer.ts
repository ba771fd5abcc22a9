import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startStandalone, type Standalone } from '@parley/testkit';

/** A file that the customer's server gives to a browser. */
export type ServedFile = { readonly type: string; readonly body: string | Uint8Array };

/** A customer: a running service with an agent of its own, and a backend with the one route that pages ask for sessions. */
export class Customer {
  readonly parley: Standalone;
  readonly agentId: string;
  readonly files = new Map<string, ServedFile>();
  /** What every answer carries. */
  readonly headers: Record<string, string> = {};
  readonly #server: Server;

  private constructor(parley: Standalone, agentId: string) {
    this.parley = parley;
    this.agentId = agentId;
    this.#server = createServer((request, response) => {
      this.#answer(request).then(
        ({ status = 200, type, body }) =>
          response.writeHead(status, { ...this.headers, 'Content-Type': type }).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  }

  static async open(env: Record<string, string> = {}): Promise<Customer> {
    const parley = await startStandalone(env);
    const call = rest(parley);
    const { id } = (await call('POST', '/Agent', agent)) as { id: string };
    const customer = new Customer(parley, id);
    await once(customer.#server.listen(0, '127.0.0.1'), 'listening');
    return customer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  call(method: string, path: string, body?: object): Promise<unknown> {
    return rest(this.parley)(method, path, body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.parley.stop();
  }

  async #session(request: IncomingMessage): Promise<{ webSocketPath: string }> {
    const asked = JSON.parse(await text(request)) as object;
    const session = await this.call('POST', `/Agent/${this.agentId}/realtime-session`, asked);
    return session as { webSocketPath: string };
  }

  async #answer(request: IncomingMessage): Promise<ServedFile & { status?: number }> {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    if (pathname === '/session') return json(await this.#session(request));
    // A backend may also say where the service is.
    if (pathname === '/my/session') {
      const session = await this.#session(request);
      const url = new URL(session.webSocketPath, this.parley.credentials.baseUrl);
      return json({ ...session, webSocketPath: url.href });
    }
    const file = this.files.get(pathname);
    return file ?? { status: 404, type: 'text/plain', body: 'There is nothing here.' };
  }
}

function json(answer: object): ServedFile {
  return { type: 'application/json', body: JSON.stringify(answer) };
}

/** Its tools are the model's to call by name; one waits for a person. */
const agent = {
  name: 'Scenes',
  systemMessage: 'You help in tests.',
  tools: [
    { kind: 'builtin', name: 'current_time', title: 'Look at the clock', approvalRequired: true },
  ],
};

function rest({ credentials }: Standalone) {
  const { baseUrl, apiKey, organizationId } = credentials;
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': apiKey,
        'X-Org-Id': organizationId,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(answer);
    return answer === '' ? undefined : (JSON.parse(answer) as unknown);
  };
}
