import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type {
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import type { Egress, GuardedFetch } from '@parley/egress';
import { limitBody } from './limit-body.js';

const maxAnswerBytes = 4 * 1024 * 1024;
const maxPages = 16;
const maxTools = 256;

/** A connection to an MCP server, opened when it is needed. One that broke is opened anew for the next call; no call is sent twice. */
export type McpServer = {
  list(signal: AbortSignal): Promise<ListedTool[]>;
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<Awaited<ReturnType<Client['callTool']>>>;
  close(): Promise<void>;
};

export type McpServerOptions = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly egress: Egress;
};

/** `users` counts the calls that are under way: one that failed does not end the others. */
type Connection = { readonly client: Promise<Client>; users: number; dropped: boolean };

export function mcpServer(options: McpServerOptions): McpServer {
  let open: Connection | undefined;
  const closeUnused = async ({ client, users, dropped }: Connection) => {
    if (dropped && users === 0) await client.then((one) => one.close()).catch(() => undefined);
  };
  const drop = (connection: Connection) => {
    connection.dropped = true;
    if (open === connection) open = undefined;
  };
  const use = async <T>(work: (client: Client) => Promise<T>, signal: AbortSignal) => {
    open ??= { client: connect(options, signal), users: 0, dropped: false };
    const connection = open;
    connection.users += 1;
    try {
      return await work(await connection.client);
    } catch (error) {
      drop(connection);
      throw error;
    } finally {
      connection.users -= 1;
      void closeUnused(connection);
    }
  };
  return {
    list: (signal) => use((client) => listTools(client, signal), signal),
    call: (name, input, { signal, timeoutMs }) =>
      use(
        (client) =>
          client.callTool({ name, arguments: { ...input } }, undefined, {
            signal,
            timeout: timeoutMs,
          }),
        signal,
      ),
    async close() {
      const connection = open;
      if (!connection) return;
      drop(connection);
      await closeUnused({ ...connection, users: 0 });
    },
  };
}

async function connect(
  { url, headers, egress }: McpServerOptions,
  signal: AbortSignal,
): Promise<Client> {
  const fetch: GuardedFetch = async (target, init) =>
    limitBody(await egress.fetch(target, init), maxAnswerBytes);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers: { ...headers } },
  });
  const client = new Client(
    { name: 'parley', version: '1' },
    // The default compiles what a server wrote. Results go to the model, whatever their shape.
    { jsonSchemaValidator: unchecked },
  );
  try {
    await client.connect(transport, { signal });
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

const unchecked: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};

async function listTools(client: Client, signal: AbortSignal): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && tools.length < maxTools; page += 1) {
    const reply = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
    tools.push(...reply.tools);
    cursor = reply.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, maxTools);
}
