import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { createEgress, type Egress } from '@parley/egress';
import { mcpServer } from '#src/mcp/mcp-server.js';

const welcome = (id: number): string => {
  const serverInfo = { name: 'silent', version: '1' };
  const result = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, serverInfo };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
};

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
});
