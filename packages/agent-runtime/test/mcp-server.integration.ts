import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { createEgress, type Egress } from '@parley/egress';
import { waitFor } from '@parley/testkit';
import { mcpServer } from '#src/mcp/mcp-server.js';
import { describeFetchFailure } from '#src/tools/fetch-failure.js';
import { watchEgress } from '#src/tools/watch-egress.js';
import { McpHost, type HostedTask } from './support/mcp-host.js';

const welcome = (id: number): string => {
  const serverInfo = { name: 'silent', version: '1' };
  const result = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, serverInfo };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
};

const methodOf = (body: string | null): string =>
  body === null ? '' : (JSON.parse(body) as { method: string }).method;

describe('the connection to an MCP server', () => {
  let egress: Egress;
  const ends: (() => unknown)[] = [];
  beforeEach(() => (egress = createEgress(['127.0.0.1'])));
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await egress.close();
  });

  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const connectTo = (url: string, through: Egress = egress) => {
    const server = mcpServer({
      url,
      headers: {},
      egress: through,
      listing: { bytes: 1024 * 1024 },
    });
    ends.push(() => server.close());
    return server;
  };

  it('is given up with its caller when the server never acknowledges its beginning', async () => {
    const caller = new AbortController();
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const { id } = (await json(request)) as { id?: number };
      if (id === undefined) caller.abort();
      else response.setHeader('Content-Type', 'application/json').end(welcome(id));
    };
    const url = await serve((request, response) => void answer(request, response));
    const listing = connectTo(url).list(undefined, caller.signal);
    expect(await Promise.allSettled([listing])).to.have.nested.property('[0].status', 'rejected');
  });

  it('tells the status with which a server refuses, or that it speaks another version', async () => {
    const listingFrom = async (listener: RequestListener) =>
      connectTo(await serve(listener))
        .list(undefined, new AbortController().signal)
        .then(() => 'listed', describeFetchFailure);
    const refusal = await listingFrom((_, response) => response.writeHead(401).end('Who?'));
    expect(refusal).to.equal('The server answered with HTTP 401.');
    const other = async (request: IncomingMessage, response: ServerResponse) => {
      const { id } = (await json(request)) as { id: number };
      const body = welcome(id).replace(LATEST_PROTOCOL_VERSION, '1999-01-01');
      response.setHeader('Content-Type', 'application/json').end(body);
    };
    expect(await listingFrom((request, response) => void other(request, response))).to.equal(
      'The server speaks a version of MCP that is not supported.',
    );
  });

  it('cancels nothing that the server has answered', async () => {
    const asTask = {
      name: 'slow',
      inputSchema: { type: 'object' },
      execution: { taskSupport: 'required' },
    };
    const plain = { name: 'quick', inputSchema: { type: 'object' } };
    const tasked = {
      onTask: ({ taskId, store }: HostedTask) =>
        store.storeTaskResult(taskId, 'completed', { content: [] }),
    };
    for (const [tool, options] of [
      [plain, {}],
      [asTask, tasked],
    ] as const) {
      const host = await new McpHost({ tools: [tool, tool], pageSize: 1, ...options }).start();
      ends.push(() => host.kill());
      const sent: string[] = [];
      const server = connectTo(
        host.url,
        watchEgress(egress, ({ body }) => sent.push(methodOf(body))),
      );
      const [listing, calling] = [new AbortController(), new AbortController()];
      await server.list(undefined, listing.signal);
      const timing = { timeoutMs: 10_000, asTask: tool === asTask };
      await server.call(tool.name, {}, { ...timing, signal: calling.signal });
      for (const over of [listing, calling]) over.abort();
      // What follows is sent after whatever the end of the two would send.
      await server.list([], new AbortController().signal);
      expect(sent).to.include.members(['initialize', 'tools/list', 'tools/call']);
      expect(sent).not.to.include('notifications/cancelled');
    }
  });

  it('cancels what the server has not answered yet', async () => {
    const calling = new AbortController();
    const tools = [{ name: 'slow', inputSchema: { type: 'object' } }];
    const answer = () => new Promise<never>(() => undefined);
    const host = await new McpHost({ tools, answer }).start();
    ends.push(() => host.kill());
    const sent: string[] = [];
    const server = connectTo(
      host.url,
      watchEgress(egress, ({ body }) => sent.push(methodOf(body))),
    );
    const call = server.call(
      'slow',
      {},
      { signal: calling.signal, timeoutMs: 600_000, asTask: false },
    );
    await once(host, 'call');
    calling.abort();
    expect(await Promise.allSettled([call])).to.have.nested.property('[0].status', 'rejected');
    await waitFor(() => sent.includes('notifications/cancelled'), { what: 'the cancellation' });
  });

  /** Sends requests of its own before its list, and waits for nothing. */
  const asking = async (count: number, replied: (response: ServerResponse) => void) => {
    const sockets = new Set<Socket>();
    const seen = { sockets: 0, replies: 0, waits: 0 };
    const handle = async (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket));
      sockets.add(socket);
      seen.sockets = Math.max(seen.sockets, sockets.size);
      if (request.method !== 'POST') {
        seen.waits += 1;
        response.writeHead(405).end();
        return;
      }
      const { id, method } = (await json(request)) as { id: number; method?: string };
      if (method === 'initialize')
        response.setHeader('Content-Type', 'application/json').end(welcome(id));
      else if (method === 'tools/list') {
        response.setHeader('Content-Type', 'text/event-stream');
        for (let n = 0; n < count; n += 1)
          response.write(`data: {"jsonrpc":"2.0","id":${n},"method":"ping"}\n\n`);
        response.end(`data: {"jsonrpc":"2.0","id":${id},"result":{"tools":[]}}\n\n`);
      } else if (method === undefined) {
        seen.replies += 1;
        replied(response);
      } else response.writeHead(202).end();
    };
    const url = await serve((request, response) => void handle(request, response));
    return { url, seen };
  };

  it('answers what the server asks, a few at a time, and does not wait for more', async () => {
    const { url, seen } = await asking(80, (response) => response.writeHead(202).end());
    const { tools } = await connectTo(url).list(undefined, new AbortController().signal);
    expect(tools).to.be.empty;
    await waitFor(() => seen.replies === 80, { what: 'all replies' });
    expect(seen.sockets).to.be.at.most(20);
    expect(seen.waits).to.equal(0);
  });

  it('is closed if the server asks too much, and opened again for the next call', async () => {
    const { url, seen } = await asking(2000, () => undefined);
    const server = connectTo(url);
    for (let n = 0; n < 2; n += 1) {
      const { signal } = new AbortController();
      const [outcome] = await Promise.allSettled([server.list(undefined, signal)]);
      expect(outcome)
        .to.have.nested.property('reason.message')
        .that.match(/too many requests/);
    }
    expect(seen.replies).to.be.at.most(8);
    expect(seen.sockets).to.be.at.most(20);
  });
});
