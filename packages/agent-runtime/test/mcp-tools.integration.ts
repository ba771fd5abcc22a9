import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect } from 'chai';
import type { Tool } from '@parley/protocol';
import { z } from 'zod';
import { CallCancelled } from '#src/index.js';
import { McpHost } from './support/mcp-host.js';
import { ended, never, Stage } from './support/stage.js';

const inherited = ['toString', 'constructor', 'hasOwnProperty', '__proto__'];

/** What the server's tools tell, and are told. */
const calls = new EventEmitter();

describe('MCP tools', () => {
  let stage: Stage;
  let url: string;
  const keys: (string | undefined)[] = [];
  before(async () => {
    stage = await Stage.open();
    // Without sessions, each request has a server of its own.
    const http = createServer((request, response) => {
      keys.push(request.headers['x-key'] as string | undefined);
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      const server = mcpServer();
      response.on('close', () => void server.close());
      void server
        .connect(transport as never)
        .then(() => transport.handleRequest(request, response));
    });
    url = `${await stage.serve(http)}/mcp`;
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const mcp = (more: Partial<Extract<Tool, { kind: 'mcp' }>> = {}): Tool => ({
    kind: 'mcp',
    name: 'math',
    serverUrl: url,
    headers: { 'X-Key': '{{secret:KEY}}' },
    ...more,
  });
  const open = async (...tools: Tool[]) => {
    const agentId = await stage.agent(tools, { secrets: { KEY: 'sk-very-secret' } });
    return stage.toolbox(agentId, await stage.place(agentId));
  };
  const run = async (tool: Tool, name: string, input: object) => {
    const toolbox = await open(tool);
    const request = { callId: 'c', name, arguments: JSON.stringify(input), position: 1 };
    return ended(toolbox.advance(toolbox.newCall(request), never));
  };
  const namesOf = (toolbox: Awaited<ReturnType<typeof open>>) =>
    toolbox.declarations.map(({ name }) => name);

  it('appear under their names, those that are allowed, and run', async () => {
    expect(namesOf(await open(mcp()))).to.deep.equal([
      ...['add', 'echo_key', 'fail', 'gate', 'hang', 'note'],
    ]);
    expect(namesOf(await open(mcp({ allowedTools: ['echo.key', 'none'] })))).to.deep.equal([
      'echo_key',
    ]);
    expect((await run(mcp(), 'add', { a: 2, b: 3 })).outcome).to.include({
      status: 'succeeded',
      output: '5',
    });
    expect(keys.at(-1)).to.equal('sk-very-secret');
    const echoed = await run(mcp(), 'echo_key', { key: 'sk-very-secret' });
    expect(echoed.outcome!.output).to.equal('[secret]');
  });

  it('have their arguments checked against the server’s schema', async () => {
    const { outcome } = await run(mcp(), 'add', { a: 'two', b: 3 });
    expect(outcome!.output).to.match(/a: .*number/);
  });

  it('tell failures, and end when they take too long', async () => {
    expect((await run(mcp(), 'fail', {})).outcome).to.include({
      status: 'failed',
      output: 'Out of order.',
    });
    const { outcome } = await run(mcp({ timeoutSeconds: 1 }), 'hang', {});
    expect(outcome!.output).to.match(/in time/);
  });

  it('do not fail with another call of their server', async () => {
    const toolbox = await open(mcp());
    const begin = (name: string, signal: AbortSignal) =>
      ended(
        toolbox.advance(
          toolbox.newCall({ callId: name, name, arguments: '{}', position: 1 }),
          signal,
        ),
      );
    const controller = new AbortController();
    const gate = begin('gate', never);
    const hang = begin('hang', controller.signal);
    await Promise.all([once(calls, 'gate'), once(calls, 'hang')]);
    controller.abort(new CallCancelled());
    expect((await hang).outcome).to.include({ status: 'failed' });
    calls.emit('open');
    expect((await gate).outcome).to.include({ status: 'succeeded', output: 'open' });
    expect((await begin('note', never)).outcome).to.include({ output: 'noted' });
  });

  it('need approval as the policy says', async () => {
    const policy = { default: 'always', tools: { add: 'never' } } as const;
    expect((await run(mcp({ approvalPolicy: policy }), 'add', { a: 1, b: 1 })).state).to.equal(
      'finished',
    );
    expect((await run(mcp({ approvalPolicy: policy }), 'note', {})).state).to.equal('waiting');
    expect((await run(mcp({ approvalRequired: true }), 'note', {})).state).to.equal('waiting');
  });

  it('need approval by the policy’s default, whatever every object inherits under their names', async () => {
    const host = await new McpHost({
      tools: inherited.map((name) => ({ name, inputSchema: { type: 'object' } })),
    }).start();
    stage.onClose(() => host.kill());
    const policy = { default: 'always', tools: { add: 'never' } } as const;
    for (const name of inherited) {
      const tool = mcp({ serverUrl: host.url, approvalPolicy: policy });
      expect((await run(tool, name, {})).state, name).to.equal('waiting');
    }
    expect(host.calls).to.be.empty;
  });

  it('give way to the agent’s own tools and to an earlier server', async () => {
    const own: Tool = { kind: 'http', name: 'add', description: 'A', method: 'GET', url };
    const toolbox = await open(
      mcp({ allowedTools: ['add'] }),
      mcp({ name: 'more', allowedTools: ['add'] }),
      own,
    );
    expect(namesOf(toolbox)).to.deep.equal(['add', 'math_add', 'more_add']);
  });

  it('are left out where their server does not answer, and that is reported', async () => {
    const silent = await stage.listen();
    stage.respond = (_heard, response) => response.writeHead(500).end();
    const own: Tool = { kind: 'builtin', name: 'current_time' };
    for (const serverUrl of [silent, 'http://127.0.0.1:1/', 'http://10.9.8.7/']) {
      expect(namesOf(await open(mcp({ serverUrl }), own))).to.deep.equal(['current_time']);
      const { event, details } = stage.reports.at(-1)!;
      expect(event).to.equal('mcp server or tool skipped');
      expect(details).to.include({ organizationId: stage.organizationId, tool: 'math' });
      expect(details).to.include.keys('agentId', 'conversationId', 'session', 'reason');
    }
  });
});

function mcpServer(): McpServer {
  const server = new McpServer({ name: 'math', version: '1' });
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
  server.registerTool(
    'add',
    { description: 'Adds.', inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => text(String(a + b)),
  );
  server.registerTool('echo.key', { inputSchema: { key: z.string() } }, ({ key }) => text(key));
  server.registerTool('fail', {}, () => ({ ...text('Out of order.'), isError: true }));
  server.registerTool('gate', {}, async () => {
    calls.emit('gate');
    await once(calls, 'open');
    return text('open');
  });
  server.registerTool('hang', {}, () => {
    calls.emit('hang');
    return new Promise(() => undefined);
  });
  server.registerTool('note', {}, () => text('noted'));
  return server;
}
