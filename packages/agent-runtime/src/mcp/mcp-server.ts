import pTimeout from 'p-timeout';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import type { Egress } from '@parley/egress';
import type { Allowance } from './mcp-answer.js';
import { listTools, type Listing } from './mcp-listing.js';
import { requestWithin } from './mcp-request.js';
import { callAsTask } from './mcp-task.js';
import { McpTraffic } from './mcp-traffic.js';
import { ToolFailure } from '../tools/tool.js';

/** How long to wait for a server to acknowledge the end of our session. */
const farewellMs = 2000;

/**
 * A connection to an MCP server, opened on demand. A broken one is reopened for the next call. No
 * call is sent twice, except one that a server refused because it does not know the connection's
 * session: it was restarted, and has not started the call.
 */
export type McpServer = {
  /** The wanted tools, or all, up to a limit. */
  list(wanted: readonly string[] | undefined, signal: AbortSignal): Promise<Listing>;
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: { signal: AbortSignal; timeoutMs: number; asTask: boolean },
  ): Promise<Awaited<ReturnType<Client['callTool']>>>;
  close(): Promise<void>;
};

export type McpServerOptions = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly egress: Egress;
  /** For the tool lists of all servers together. */
  readonly listing: Allowance;
};

type Link = {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly traffic: McpTraffic;
};

/** `users` counts the calls in progress: one that failed does not end the others. */
type Connection = { readonly link: Promise<Link>; users: number; dropped: boolean };

export function mcpServer(options: McpServerOptions): McpServer {
  let open: Connection | undefined;
  const closeUnused = async ({ link, users, dropped }: Connection) => {
    if (dropped && users === 0) await link.then(hangUp).catch(() => undefined);
  };
  const drop = (connection: Connection) => {
    connection.dropped = true;
    if (open === connection) open = undefined;
  };
  const begin = (signal: AbortSignal): Connection => {
    const link = connect(options, signal, () => drop(connection));
    const connection: Connection = { link, users: 0, dropped: false };
    return connection;
  };
  const use = async <T>(
    work: (client: Client) => Promise<T>,
    signal: AbortSignal,
    again = open !== undefined,
  ): Promise<T> => {
    const connection = (open ??= begin(signal));
    connection.users += 1;
    try {
      const { client, traffic } = await connection.link;
      return await work(client).catch((error: unknown) => {
        throw traffic.fault ?? error;
      });
    } catch (error) {
      drop(connection);
      if (!again || !isSessionUnknown(error)) throw error;
    } finally {
      connection.users -= 1;
      void closeUnused(connection);
    }
    return use(work, signal, false);
  };
  return {
    list: (wanted, signal) => use((client) => listTools(client, { wanted, signal }), signal),
    call: (name, input, { signal, timeoutMs, asTask }) =>
      use(
        (client) =>
          asTask
            ? callAsTask(client, { name, input, signal, timeoutMs })
            : requestWithin(signal, (own) =>
                client.callTool({ name, arguments: { ...input } }, undefined, {
                  signal: own,
                  timeout: timeoutMs,
                }),
              ),
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

function isSessionUnknown(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === 404;
}

const unknownVersion = 'The server speaks a version of MCP that is not supported.';

function isVersionUnknown(error: unknown): boolean {
  return error instanceof Error && error.message.includes('protocol version is not supported');
}

async function connect(
  { url, headers, egress, listing }: McpServerOptions,
  signal: AbortSignal,
  onFault: () => void,
): Promise<Link> {
  const traffic = new McpTraffic({
    egress,
    listing,
    onFault() {
      onFault();
      void client.close();
    },
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: traffic.fetch,
    requestInit: { headers: { ...headers } },
  });
  const client = new Client(
    { name: 'parley', version: '1' },
    // The default validator compiles schemas that a server wrote. Results go to the model, whatever
    // their shape.
    { jsonSchemaValidator: unchecked },
  );
  // A signal for the SDK would only cover the first response, not the acknowledgement of our
  // notification after it, for which it would wait without end.
  const giveUp = () => void client.close();
  signal.throwIfAborted();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await client.connect(transport);
    return { client, transport, traffic };
  } catch (error) {
    await client.close();
    throw traffic.fault ?? (isVersionUnknown(error) ? new ToolFailure(unknownVersion) : error);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Tells the server that it may forget our session. */
async function hangUp({ client, transport }: Link): Promise<void> {
  await pTimeout(transport.terminateSession(), { milliseconds: farewellMs }).catch(() => undefined);
  await client.close();
}

const unchecked: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};
