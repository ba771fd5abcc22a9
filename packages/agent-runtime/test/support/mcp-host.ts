import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';

export type McpHostOptions = {
  readonly tools: readonly Record<string, unknown>[];
  readonly pageSize?: number;
  readonly answer?: (name: string) => CallToolResult | Promise<CallToolResult>;
  /** Calls become tasks, which this goes on with. */
  readonly onTask?: (task: HostedTask) => Promise<void> | void;
  /** Awaited before a list is answered. */
  readonly beforeList?: () => Promise<unknown>;
};

export type HostedTask = { readonly taskId: string; readonly store: InMemoryTaskStore };

/** An MCP server of the official SDK that keeps sessions, answers with streams of events, and can be killed and started again. */
export class McpHost extends EventEmitter {
  readonly #options: McpHostOptions;
  #transports = new Map<string, StreamableHTTPServerTransport>();
  #http: Server | undefined;
  #port = 0;
  lists = 0;
  readonly calls: string[] = [];
  readonly tasks = new InMemoryTaskStore();

  constructor(options: McpHostOptions) {
    super();
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  get sessions(): number {
    return this.#transports.size;
  }

  async start(): Promise<this> {
    this.#http = createServer((request, response) => void this.#handle(request, response));
    this.#http.listen(this.#port, '127.0.0.1');
    await once(this.#http, 'listening');
    this.#port = (this.#http.address() as AddressInfo).port;
    return this;
  }

  /** Ends every connection, and forgets every session. */
  async kill(): Promise<void> {
    this.#transports = new Map();
    this.tasks.cleanup();
    const closed = once(this.#http!, 'close');
    this.#http!.close();
    this.#http!.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sessionId = request.headers['mcp-session-id'];
    if (sessionId === undefined) return this.#open(request, response);
    const transport = this.#transports.get(String(sessionId));
    if (!transport) return void response.writeHead(404).end();
    if (request.method === 'DELETE') this.#transports.delete(String(sessionId));
    await transport.handleRequest(request, response);
  }

  async #open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#transports.set(id, transport),
    });
    await this.#server().connect(transport);
    await transport.handleRequest(request, response);
  }

  #server(): McpServer {
    const { tools, pageSize = tools.length, answer, beforeList, onTask } = this.#options;
    const tasks = { cancel: {}, requests: { tools: { call: {} } } };
    const host = new McpServer(
      { name: 'host', version: '1' },
      onTask
        ? { capabilities: { tools: {}, tasks }, taskStore: this.tasks }
        : { capabilities: { tools: {} } },
    );
    const { server } = host;
    server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
      this.lists += 1;
      await beforeList?.();
      const from = Number(params?.cursor ?? 0);
      const next = from + pageSize;
      return {
        tools: tools.slice(from, next) as never,
        ...(next < tools.length && { nextCursor: String(next) }),
      };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { taskStore }) => {
      this.calls.push(params.name);
      this.emit('call');
      if (onTask && taskStore) {
        const task = await taskStore.createTask({ ttl: params.task?.ttl ?? null, pollInterval: 1 });
        void onTask({ taskId: task.taskId, store: this.tasks });
        return { task };
      }
      return (await answer?.(params.name)) ?? { content: [{ type: 'text', text: 'done' }] };
    });
    return host;
  }
}
