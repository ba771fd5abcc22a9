import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, type WebhookEvent } from '#src/server/index.js';

/** A receiver of webhooks, which keeps what it can verify and refuses the rest. */
export class Hook {
  readonly events: WebhookEvent[] = [];
  readonly refused: unknown[] = [];
  secret = '';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      buffer(request)
        .then((body) => verifyWebhook({ body, headers: request.headers, secret: this.secret }))
        .then(
          (event) => {
            this.events.push(event);
            response.writeHead(204).end();
          },
          (error: unknown) => {
            this.refused.push(error);
            response.writeHead(400).end();
          },
        );
    });
  }

  static async open(): Promise<Hook> {
    const hook = new Hook();
    await once(hook.#server.listen(0, '127.0.0.1'), 'listening');
    return hook;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
