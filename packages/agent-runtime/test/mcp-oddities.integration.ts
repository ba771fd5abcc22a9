import { once } from 'node:events';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import type { Tool } from '@parley/protocol';
import { waitFor } from '@parley/testkit';
import { McpHost, type McpHostOptions } from './support/mcp-host.js';
import { ended, never, Stage } from './support/stage.js';

const inputSchema = { type: 'object' };
const plain = (name: string) => ({ name, inputSchema });
const done = 'response.function_invocation.done';

describe('an MCP server', () => {
  let stage: Stage;
  before(async () => (stage = await Stage.open()));
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const host = async (options: McpHostOptions): Promise<McpHost> => {
    const started = await new McpHost(options).start();
    stage.onClose(() => started.kill());
    return started;
  };
  const open = async (
    { url }: McpHost,
    more: Partial<Extract<Tool, { kind: 'mcp' }>> = {},
    ...others: Tool[]
  ) => {
    const tool: Tool = { kind: 'mcp', name: 'host', serverUrl: url, ...more };
    const agentId = await stage.agent([...others, tool]);
    return stage.toolbox(agentId, await stage.place(agentId));
  };
  type Toolbox = Awaited<ReturnType<typeof open>>;
  const namesOf = ({ declarations }: Toolbox) => declarations.map(({ name }) => name);
  const call = async (toolbox: Toolbox, name: string) => {
    const request = { callId: 'c', name, arguments: '{}', position: 1 };
    return (await ended(toolbox.advance(toolbox.newCall(request), never))).outcome!;
  };
  const answering = async (result: CallToolResult) => {
    const odd = await host({ tools: [plain('odd')], answer: () => result });
    return call(await open(odd), 'odd');
  };
  const reasons = () => stage.reports.map(({ details }) => String(details['reason']));

  it('with a thousand tools on many pages offers the few that are allowed', async () => {
    const tools = Array.from({ length: 1000 }, (_, n) => plain(`tool_${n}`));
    const large = await host({ tools, pageSize: 100 });
    const allowedTools = ['tool_999', 'tool_3', 'tool_500'];
    expect(namesOf(await open(large, { allowedTools }))).to.deep.equal([
      ...['tool_3', 'tool_500', 'tool_999'],
    ]);
    expect(stage.reports).to.be.empty;
    large.lists = 0;
    expect(namesOf(await open(large, { allowedTools: ['tool_3'] }))).to.deep.equal(['tool_3']);
    expect(large.lists).to.equal(1);
    expect(namesOf(await open(large))).to.have.length(256);
    expect(reasons()[0]).to.match(/more tools than are looked at: allowedTools/);
  });

  it('whose pages never end is read to a limit', async () => {
    const endless = await host({ tools: Array(1e6).fill({}) as [], pageSize: 1 });
    expect(namesOf(await open(endless))).to.be.empty;
    expect(endless.lists).to.be.at.most(100);
    expect(stage.reports).to.have.length(1);
  });

  it('and many others are read a few at a time, and to one limit together', async () => {
    const waiting = { now: 0, most: 0 };
    const description = 'd'.repeat(256 * 1024);
    const wordy = await host({
      tools: Array.from({ length: 100 }, (_, n) => ({ ...plain(`tool_${n}`), description })),
      pageSize: 1,
      async beforeList() {
        waiting.now += 1;
        waiting.most = Math.max(waiting.most, waiting.now);
        await new Promise(setImmediate);
        waiting.now -= 1;
      },
    });
    const others = Array.from({ length: 15 }, (_, n): Tool => ({
      kind: 'mcp',
      name: `other_${n}`,
      serverUrl: wordy.url,
    }));
    await open(wordy, {}, ...others);
    // Two mebibytes of pages, and one page more for each server.
    expect(wordy.lists).to.be.at.most(8 + 16);
    expect(waiting.most).to.be.at.most(8);
    expect(reasons().at(-1)).to.match(/too long: allowedTools/);
  });

  it('that describes its tools with a secret it was sent has it hidden from the model', async () => {
    const secret = 'sk-very-secret-0123';
    const basic = Buffer.from(`user:${secret}`).toString('base64');
    const description = `${'x'.repeat(1015)} ${secret}`;
    const schema = {
      type: 'object',
      properties: { [secret]: { description: `Send ${basic}`, enum: [secret, 'other'] } },
    };
    const tools = [
      { name: 'told', title: secret, description, inputSchema: schema },
      { name: secret, inputSchema },
    ];
    const { url } = await host({ tools });
    const headers = { authorization: 'Bearer {{secret:KEY}}' };
    const tool: Tool = { kind: 'mcp', name: 'host', serverUrl: url, headers };
    const agentId = await stage.agent([tool], { secrets: { KEY: secret } });
    const { declarations } = await stage.toolbox(agentId, await stage.place(agentId));
    expect(declarations.map(({ name }) => name)).to.deep.equal(['told']);
    const told = JSON.stringify(declarations);
    expect(told)
      .to.include('[secret]')
      .and.not.match(/sk-very|0123/);
    expect(told).not.to.include(basic.slice(8, -2));
    expect(reasons()).to.deep.equal(['[secret]: its name holds a secret']);
  });

  it('that describes its tools with half characters has them mended for the model', async () => {
    const half = '\uD83D';
    const schema = { type: 'object', properties: { a: { description: half } } };
    const long = `${'x'.repeat(1023)}😀 and more`;
    const tools = [
      { name: 'told', title: 't'.repeat(500), description: long, inputSchema: schema },
      { name: `named${half}`, inputSchema },
    ];
    const { declarations } = await open(await host({ tools }));
    expect(declarations).to.deep.equal([
      {
        name: 'told',
        description: `${'x'.repeat(1023)}\uFFFD`,
        parameters: { type: 'object', properties: { a: { description: '\uFFFD' } } },
      },
    ]);
    expect(reasons()).to.have.length(1);
  });

  it('has tools whose names are taken, in any spelling', async () => {
    const long = 'n'.repeat(64);
    const tools = ['a.b', 'a_b', 'a b', 'clock', `${long}1`, `${long}2`, `${long}3`].map(plain);
    const clock: Tool = {
      kind: 'http',
      name: 'clock',
      description: 'C',
      method: 'GET',
      url: 'http://127.0.0.1/',
    };
    const toolbox = await open(await host({ tools }), {}, clock);
    expect(namesOf(toolbox)).to.deep.equal([
      ...['clock', 'a_b', 'host_a_b', 'host_clock', long, `host_${long.slice(5)}`],
    ]);
    expect(reasons()).to.deep.equal(['a b: its name is taken', `${long}3: its name is taken`]);
    expect(await call(toolbox, 'host_a_b')).to.include({ status: 'succeeded' });
  });

  it('that takes too long to list its tools is left out', async () => {
    const slow = await host({
      tools: [plain('late')],
      beforeList: () => new Promise(() => undefined),
    });
    const clock: Tool = { kind: 'builtin', name: 'current_time' };
    const toolbox = await open(slow, {}, clock);
    expect(namesOf(toolbox)).to.deep.equal(['current_time']);
    expect(stage.reports).to.have.length(1);
    expect(stage.reports[0]).to.include({ event: 'mcp server or tool skipped' });
    expect(reasons()[0]).to.match(/in time/);
    expect(await call(toolbox, 'current_time')).to.include({ status: 'succeeded' });
  });

  it('that dies in the middle of a call fails it at once, and is asked again next time', async () => {
    let hang = true;
    const answer = (): CallToolResult | Promise<CallToolResult> =>
      hang ? new Promise<never>(() => undefined) : { content: [] };
    const mortal = await host({ tools: [plain('pay')], answer });
    const toolbox = await open(mortal, { timeoutSeconds: 120 });
    const calling = call(toolbox, 'pay');
    await once(mortal, 'call');
    await mortal.kill();
    const outcome = await calling;
    expect(outcome).to.include({ status: 'failed' });
    expect(outcome.output).to.match(/interrupted its response/);
    expect(stage.types().filter((type) => type === done)).to.have.length(1);
    expect(stage.endings).to.deep.equal(['mcp failed']);
    expect(await call(toolbox, 'pay')).to.include({ status: 'failed' });
    await mortal.start();
    hang = false;
    expect(await call(toolbox, 'pay')).to.include({ status: 'succeeded' });
    expect(mortal.calls).to.have.length(2);
  });

  it('that was restarted in between is told of us again', async () => {
    const restarted = await host({ tools: [plain('pay')] });
    const toolbox = await open(restarted);
    await restarted.kill();
    await restarted.start();
    expect(await call(toolbox, 'pay')).to.include({ status: 'succeeded', output: 'done' });
    expect(restarted.calls).to.deep.equal(['pay']);
  });

  it('forgets the session when the toolbox is closed', async () => {
    const stateful = await host({ tools: [plain('pay')] });
    const toolbox = await open(stateful);
    expect(stateful.sessions).to.equal(1);
    await toolbox.close();
    await waitFor(() => stateful.sessions === 0, { what: 'the end of the session' });
  });

  it('with tools that cannot be described to a model offers the others', async () => {
    const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*$' } } };
    const deep = JSON.parse('{"items":'.repeat(200) + '{}' + '}'.repeat(200)) as object;
    const tools = [
      { name: 'fine', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
      { name: 'evil', inputSchema: pattern },
      { name: 'deep', inputSchema: { type: 'object', properties: { a: deep } } },
      { name: 'remote', inputSchema: { type: 'object', properties: { a: { $ref: 'http://x/' } } } },
      { name: 'listed', inputSchema: { type: 'array' } },
      { name: 'bare' },
      { inputSchema },
      'nonsense',
    ] as Record<string, unknown>[];
    expect(namesOf(await open(await host({ tools })))).to.deep.equal(['fine']);
    expect(reasons().map((reason) => reason.split(':')[0])).to.deep.equal([
      ...['evil', 'deep', 'remote', 'listed', 'bare'],
    ]);
  });

  it('is heard to the limit of what a model reads', async () => {
    const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });
    expect(await answering({ ...text('No.'), isError: true })).to.include({
      status: 'failed',
      output: 'No.',
    });
    const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' };
    const resource = {
      type: 'resource' as const,
      resource: { uri: 'file:///a', text: 'In the file.' },
    };
    const link = { type: 'resource_link' as const, uri: 'https://example.com/cat', name: 'cat' };
    expect(await answering({ content: [link, { ...link, description: 'A page.' }] })).to.include({
      output:
        '[resource] https://example.com/cat – cat\n[resource] https://example.com/cat – cat – A page.',
    });
    const mixed = [image, { type: 'text' as const, text: 'A cat.' }, resource];
    expect(await answering({ content: mixed })).to.include({
      ...{ status: 'succeeded', output: '[image]\nA cat.\nIn the file.' },
    });
    const long = await answering(text('x'.repeat(100_000)));
    expect(long.output).to.match(/x\n\[truncated: 67232 more characters\]$/);
    const endless = await answering(text('x'.repeat(5 * 1024 * 1024)));
    expect(endless).to.include({ status: 'failed' });
    expect(endless.output).to.match(/too large/);
  });
});
