import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { findProgram, needs, runProgram } from '@parley/testkit';

const check = join(import.meta.dirname, 'support/runtime-check.js');

/** How each runtime is told to run a file that uses the network. */
const runtimes = {
  node: { program: () => process.execPath, args: [] },
  deno: { program: () => findProgram('deno'), args: ['run', '--allow-net'] },
  bun: { program: () => findProgram('bun'), args: ['run'] },
} as const;

for (const [name, { program, args }] of Object.entries(runtimes))
  describe(`@parley/client/server on ${name}`, () => {
    needs({
      met: () => program() !== undefined,
      what: `${name}, which is not installed`,
      optional: true,
    });
    let server: Server;

    before(async () => {
      server = createServer((request, response) => void answer(request, response));
      await once(server.listen(0, '127.0.0.1'), 'listening');
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    it('does all that it does elsewhere', async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const run = runProgram(program()!, [...args, check, url, JSON.stringify(signed())]);
      expect(await run.ended, run.output).to.equal(0);
      expect(run.output).to.include('Everything works here.');
    });
  });

/** How often each Idempotency-Key was sent. */
const attempts = new Map<string, number>();

/** A service of a few answers, whose connections break at first. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const key = String(request.headers['idempotency-key']);
  const attempt = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, attempt);
  const json = (value: object, status = 200, headers = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));
  switch (`${request.method} ${request.url}`) {
    case 'POST /api/v1/Agent':
      if (attempt === 1) request.socket.destroy();
      else if (attempt === 2) json({}, 503, { 'retry-after': '0' });
      else json(JSON.parse(body.toString()) as object);
      break;
    case 'POST /api/v1/Agent/a/question':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        sent({ type: 'response.text.delta', data: { delta: attempt === 1 ? 'Grü' : 'ße' } }),
        () => {
          if (attempt === 1) request.socket.destroy();
          else response.end(sent({ type: 'question.answered', data: { answer: 'Grüße' } }));
        },
      );
      break;
    case 'POST /api/v1/TemporaryFile': {
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(new Uint8Array(body), {
        headers: { 'content-type': type },
      }).formData();
      const file = form.get('file') as File;
      json({ name: `${file.name}: ${await file.text()}` });
      break;
    }
    case 'GET /api/v1/TemporaryFile/f/content':
      response.end('Grüße');
      break;
    case 'GET /api/v1/Task/hangs':
      break;
    default:
      json({ type: '/docs/errors#not-found', detail: 'There is nothing here.' }, 404);
  }
}

function sent(event: { type: string; data: object }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function signed(): Record<string, string> {
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', 'secret')
    .update(`id.${at}.{"type":"task.changed"}`)
    .digest('base64');
  return {
    'webhook-id': 'id',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  };
}
