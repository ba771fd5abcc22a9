import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const piece = Buffer.alloc(65_536, 'x');

/**
 * A server that an organization might name: below /v1 a provider whose answer never ends, below /calls a model that does nothing but call every
 * tool it has, and below /mcp servers whose lists never end.
 */
export type HostileServer = {
  readonly url: string;
  /** How much of what it would send was taken. */
  readonly sent: () => number;
  /** How often the model that calls every tool was asked. */
  readonly asked: () => number;
  close(): void;
};

export async function startHostileServer(): Promise<HostileServer> {
  const tally = { sent: 0, asked: 0 };
  const server = createServer((request, response) => {
    const kind = request.url?.split('/')[1];
    const answering =
      kind === 'mcp'
        ? listForEver(request, response, tally)
        : kind === 'calls'
          ? callEverything(request, response, tally)
          : talkForEver(response, tally);
    answering.catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => tally.sent,
    asked: () => tally.asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** One event of a chat completion, without an end. */
async function talkForEver(response: ServerResponse, tally: { sent: number }): Promise<void> {
  const gone = new AbortController();
  response.on('error', () => undefined).once('close', () => gone.abort());
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"choices":"');
  while (!gone.signal.aborted) {
    tally.sent += piece.length;
    if (!response.write(piece)) await once(response, 'drain', { signal: gone.signal });
  }
}

/** A chat completion that calls each tool of the request sixteen times. */
async function callEverything(
  request: IncomingMessage,
  response: ServerResponse,
  tally: { asked: number },
): Promise<void> {
  tally.asked += 1;
  const { tools = [] } = (await json(request)) as { tools?: { function: { name: string } }[] };
  const calls = tools
    .flatMap(({ function: { name } }) => Array.from({ length: 16 }, () => name))
    .map((name, index) => ({
      ...{ index, id: `call_${tally.asked}_${index}`, type: 'function' },
      function: { name, arguments: '{"question":"And you?"}' },
    }));
  const choice = { index: 0, delta: { tool_calls: calls }, finish_reason: 'tool_calls' };
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
}

/** A page of tools, and the promise of another. */
async function listForEver(
  request: IncomingMessage,
  response: ServerResponse,
  tally: { sent: number },
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = (await json(request)) as { id?: number; method: string };
  if (id === undefined) return void response.writeHead(202).end();
  const page = {
    tools: [{ name: `tool_${tally.sent}`, description: String(piece), inputSchema: {} }],
    nextCursor: 'more',
  };
  const greeting = {
    protocolVersion: '2025-03-26',
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', version: '1' },
  };
  if (method === 'tools/list') tally.sent += piece.length;
  const result = method === 'initialize' ? greeting : page;
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
