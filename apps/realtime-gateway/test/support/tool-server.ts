import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a tool was called with. */
export type ToolRequest = { path: string; body: unknown };

/** The systems behind an agent's tools: HTTP endpoints and an MCP server. */
export class ToolServer {
  readonly requests: ToolRequest[] = [];
  /** How many requests to /slow, or for a list of tools, were given up by whoever called. */
  abandoned = 0;
  /** The MCP server lists its tools once this has resolved. */
  listing: () => Promise<unknown> = () => Promise.resolve();
  origin = '';
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #slow: ServerResponse[] = [];

  static async start(): Promise<ToolServer> {
    const server = new ToolServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    server.origin = `http://127.0.0.1:${(server.#server.address() as AddressInfo).port}`;
    return server;
  }

  calls(path: string): ToolRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** Answers what waits at /slow. */
  release(): void {
    for (const response of this.#slow.splice(0)) response.end('{"text":"at last"}');
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close').catch(() => undefined);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === '' ? Object.fromEntries(url.searchParams) : JSON.parse(text);
    if (url.pathname !== '/mcp') this.requests.push({ path: url.pathname, body });
    response.setHeader('Content-Type', 'application/json');
    switch (url.pathname) {
      case '/weather':
        response.end('{"text":"Sunny.","degrees":21,"buttonLink":"https://example.com/map"}');
        break;
      case '/slow':
        this.#slow.push(response);
        this.#countAbandoned(response);
        break;
      case '/mcp':
        await this.#speakMcp(body as McpMessage, response);
        break;
      case '/paid':
        response.end('{"text":"Paid."}');
        break;
      default:
        response.writeHead(500).end('"broken"');
    }
  }

  #countAbandoned(response: ServerResponse): void {
    response.once('close', () => (this.abandoned += response.writableEnded ? 0 : 1));
  }

  async #speakMcp({ id, method, params }: McpMessage, response: ServerResponse): Promise<void> {
    const result = mcpAnswers[method]?.(params);
    if (method === 'tools/list') {
      this.#countAbandoned(response);
      await this.listing();
    }
    if (method === 'tools/call') this.requests.push({ path: '/mcp', body: params['arguments'] });
    if (id === undefined || result === undefined) response.writeHead(202).end();
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
}

type McpMessage = { id?: number; method: string; params: Record<string, unknown> };

const mcpAnswers: Record<string, (params: Record<string, unknown>) => object> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'test', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } }],
  }),
  'tools/call': ({ arguments: input }) => ({
    content: [{ type: 'text', text: `echo ${JSON.stringify(input)}` }],
  }),
};
