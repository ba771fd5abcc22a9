import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { ServerTools, ToolTrial } from '@parley/protocol';
import { z } from 'zod';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode, type Reply } from './support/contract-client.js';

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

describe('Trying a tool', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let server: Server;
  let base: string;
  let seen: Seen[];

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      if (url.startsWith('/mcp')) return void answerAsMcp(request, response);
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen.push({ method, url, headers, body });
        if (url.startsWith('/silent')) return;
        if (url.startsWith('/broken')) return void response.writeHead(500).end('{"error":"no"}');
        response.end(JSON.stringify({ echo: headers['x-key'] ?? null }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => (seen = []));
  after(async () => {
    await api.stop();
    server.closeAllConnections();
    server.close();
  });

  const agentWith = async (tools: object[], secrets: object = {}): Promise<string> => {
    const reply = await tenant.client.post('/api/v1/Agent', { name: 'A', tools, secrets });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return (reply.body as { id: string }).id;
  };
  const pathOf = (agentId: string, name: string) => `/api/v1/Agent/${agentId}/tool/${name}/try`;
  const listingOf = (agentId: string, name: string) =>
    `/api/v1/Agent/${agentId}/tool/${name}/listing`;
  const tryTool = (agentId: string, name: string, input: object = {}): Promise<Reply> =>
    tenant.client.post(pathOf(agentId, name), { arguments: input });
  const trialOf = ({ status, body }: Reply): ToolTrial => {
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as ToolTrial;
  };
  const http = (more: object = {}) => ({
    kind: 'http',
    name: 'look_up',
    description: 'Looks up.',
    method: 'POST',
    url: `${base}/items/{{id}}`,
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' }, note: { type: 'string' } },
      required: ['id'],
    },
    ...more,
  });
  const auditOf = async () => {
    const reply = await tenant.client.get('/api/v1/AuditLog?Action=agent.toolTried&Limit=200');
    return (reply.body as { items: { resourceId: string; after: object; actor: object }[] }).items;
  };

  it('sends the request of an HTTP tool, and shows it as it was sent with secrets masked', async () => {
    const headers = { 'X-Key': 'Bearer {{secret:KEY}}', 'X-Pin': '{{secret:PIN}}' };
    const secrets = { KEY: 's3cret-key', PIN: 'q7' };
    const agentId = await agentWith([http({ headers, secretRefs: ['KEY', 'PIN'] })], secrets);
    const { request, result, durationMs } = trialOf(
      await tryTool(agentId, 'look_up', { id: 'a b', note: 'hello' }),
    );
    expect(seen).to.have.length(1);
    expect(seen[0]).to.deep.include({ method: 'POST', url: '/items/a%20b' });
    expect(seen[0]?.headers).to.include({ 'x-key': 'Bearer s3cret-key', 'x-pin': 'q7' });
    expect(request).to.deep.include({ method: 'POST', url: `${base}/items/a%20b` });
    expect(request?.headers).to.include({ 'x-key': 'Bearer [secret]', 'x-pin': '[secret]' });
    expect(request?.body).to.equal(seen[0]?.body);
    expect(result).to.deep.equal({ status: 'succeeded', output: '{"echo":"Bearer [secret]"}' });
    expect(durationMs).to.be.at.least(0);
  });

  it('leaves an audit record that names the caller and has no arguments, and no conversation', async () => {
    const agentId = await agentWith([http()]);
    trialOf(await tryTool(agentId, 'look_up', { id: 'tell-tale' }));
    const record = (await auditOf()).find(({ resourceId }) => resourceId === agentId);
    expect(record?.actor).to.include({ kind: 'key', id: tenant.keyId });
    expect(record?.after).to.include({ tool: 'look_up' }).and.to.have.property('argumentsHash');
    expect(JSON.stringify(record)).not.to.include('tell-tale');
    const conversations = await tenant.client.get(`/api/v1/Conversation?AgentId=${agentId}`);
    expect(conversations.body).to.include({ total: 0 });
  });

  it('runs a tool that needs approval at once', async () => {
    const agentId = await agentWith([http({ approvalRequired: true })]);
    const { result } = trialOf(await tryTool(agentId, 'look_up', { id: '1' }));
    expect(result.status).to.equal('succeeded');
    expect((await tenant.client.get('/api/v1/Approval')).body).to.include({ total: 0 });
  });

  it('answers with a result when the arguments do not fit, and sends nothing', async () => {
    const agentId = await agentWith([http()]);
    const { request, result } = trialOf(await tryTool(agentId, 'look_up', { id: 7 }));
    expect({ request, status: result.status }).to.deep.equal({ request: null, status: 'refused' });
    expect(result.output).to.include('do not fit');
    expect(seen).to.deep.equal([]);
  });

  for (const [what, tool, status, says] of [
    ['a server that fails', { url: '/broken' }, 'failed', 'HTTP 500'],
    ['a server that is not there', { url: 'http://127.0.0.1:2' }, 'failed', 'ECONNREFUSED'],
    ['an address that is forbidden', { url: 'http://10.0.0.1/' }, 'failed', 'TOOL_EGRESS_ALLOW'],
    ['a server that is late', { url: '/silent', timeoutSeconds: 1 }, 'timedOut', 'in time'],
  ] as const)
    it(`answers with a result for ${what}`, async () => {
      const url = tool.url.startsWith('/') ? base + tool.url : tool.url;
      const agentId = await agentWith([http({ ...tool, url })]);
      const { request, result } = trialOf(await tryTool(agentId, 'look_up', { id: '1' }));
      expect(result.status).to.equal(status);
      expect(result.output).to.include(says);
      expect(request?.url).to.equal(new URL(url).href);
    });

  it('calls a tool of an MCP server by the name that the model knows', async () => {
    const headers = { Authorization: 'Bearer {{secret:KEY}}' };
    const mcp = { kind: 'mcp', name: 'weather', serverUrl: `${base}/mcp`, headers };
    const agentId = await agentWith([mcp], { KEY: 's3cret-key' });
    const { request, result } = trialOf(await tryTool(agentId, 'forecast', { city: 'Ulm' }));
    expect(result).to.deep.equal({ status: 'succeeded', output: 'Sunny: Ulm' });
    expect(request?.headers).to.include({ authorization: 'Bearer [secret]' });
    expect(JSON.parse(request?.body ?? '')).to.deep.include({
      method: 'tools/call',
      params: { name: 'forecast', arguments: { city: 'Ulm' } },
    });
    const server = await tryTool(agentId, 'weather');
    expect(server.status).to.equal(404);
    expect(server.body).to.have.property('detail').that.includes('forecast');
  });

  it('tells of the server that did not list its tools', async () => {
    const mcp = { kind: 'mcp', name: 'weather', serverUrl: 'http://127.0.0.1:2/mcp' };
    const agentId = await agentWith([mcp]);
    const { result } = trialOf(await tryTool(agentId, 'forecast'));
    expect(result.status).to.equal('failed');
    expect(result.output).to.include('weather').and.to.include('ECONNREFUSED');
  });

  it('lists what a server offers, the tools that the agent may not use included', async () => {
    const mcp = { kind: 'mcp', name: 'weather', serverUrl: `${base}/mcp` };
    const policy = { approvalPolicy: { default: 'always' } };
    const restricted = { ...mcp, name: 'other', allowedTools: ['absent'], ...policy };
    const agentId = await agentWith([mcp, restricted]);
    const listed = async (name: string) => {
      const { status, body } = await tenant.client.get(listingOf(agentId, name));
      expect(status, JSON.stringify(body)).to.equal(200);
      return body as ServerTools;
    };
    const { tools, problems } = await listed('weather');
    expect(problems).to.deep.equal([]);
    expect(tools).to.have.length(1);
    expect(tools[0]).to.deep.include({ name: 'forecast', calledAs: 'forecast', allowed: true });
    expect(tools[0]).to.have.nested.property('parameters.properties.city');
    const [again] = (await listed('other')).tools;
    expect(again).to.include({ name: 'forecast', calledAs: 'other_forecast' });
    expect(again).to.include({ allowed: false, approvalRequired: true });
  });

  it('says why a server lists nothing, and lists nothing for another organization', async () => {
    const down = { kind: 'mcp', name: 'weather', serverUrl: 'http://127.0.0.1:2/mcp' };
    const agentId = await agentWith([down, http()]);
    const { body } = await tenant.client.get(listingOf(agentId, 'weather'));
    expect(body).to.have.property('tools').that.deep.equals([]);
    expect((body as ServerTools).problems.join()).to.include('ECONNREFUSED');
    const noServer = await tenant.client.get(listingOf(agentId, 'look_up'));
    expect(problemCode(noServer)).to.equal('not-found');
    expect(noServer.body).to.have.property('detail').that.includes('weather');
    const stranger = await api.organization();
    const refused = await stranger.client.get(listingOf(agentId, 'weather'));
    expect(problemCode(refused)).to.equal('not-found');
    expect(JSON.stringify(refused.body)).to.not.include('weather');
  });

  it('runs built-in tools outside of any conversation', async () => {
    const names = ['create_task', 'update_task', 'current_time', 'search_conversation'];
    const agentId = await agentWith(names.map((name) => ({ kind: 'builtin', name })));
    const created = trialOf(await tryTool(agentId, 'create_task', { title: 'T' }));
    expect(created).to.deep.include({ request: null });
    const { taskId } = JSON.parse(created.result.output) as { taskId: string };
    trialOf(await tryTool(agentId, 'update_task', { taskId, title: 'U' }));
    const task = await tenant.client.get(`/api/v1/Task/${taskId}`);
    expect(task.body).to.include({ title: 'U', agentId, conversationId: null });
    const time = await tenant.client.request('POST', pathOf(agentId, 'current_time'));
    expect(trialOf(time).result.output).to.include('UTC');
    const searched = trialOf(await tryTool(agentId, 'search_conversation', { query: 'x' }));
    expect(searched.result).to.include({ status: 'failed' });
    expect(searched.result.output).to.include('no conversation');
  });

  it('refuses a sub-agent, and a tool that the agent does not have', async () => {
    const other = await agentWith([]);
    const agentId = await agentWith([{ kind: 'subagent', name: 'ask', agentId: other }]);
    const subagent = await tryTool(agentId, 'ask', { question: 'x' });
    expect(problemCode(subagent)).to.equal('conflict');
    for (const name of ['absent', 'constructor', '__proto__'])
      expect(problemCode(await tryTool(agentId, name))).to.equal('not-found');
    expect(problemCode(await tryTool(agentId, 'a%20b'))).to.equal('id-malformed');
  });

  it('runs nothing for another organization, or for a key without its scopes', async () => {
    const agentId = await agentWith([http()]);
    const stranger = await api.organization();
    const input = { arguments: { id: '1' } };
    const refused = await stranger.client.post(pathOf(agentId, 'look_up'), input);
    expect(problemCode(refused)).to.equal('not-found');
    const limited = await api.organization({ scopes: ['agents'] });
    expect(problemCode(await limited.client.post(pathOf(agentId, 'look_up'), input))).to.equal(
      'scope-missing',
    );
    expect(seen).to.deep.equal([]);
  });

  it('runs once for requests with one Idempotency-Key', async () => {
    const agentId = await agentWith([http()]);
    const options = { headers: { 'Idempotency-Key': 'once' } };
    const input = { arguments: { id: '1' } };
    const first = trialOf(await tenant.client.post(pathOf(agentId, 'look_up'), input, options));
    const again = trialOf(await tenant.client.post(pathOf(agentId, 'look_up'), input, options));
    expect(again).to.deep.equal(first);
    expect(seen).to.have.length(1);
  });
});

async function answerAsMcp(
  ...[request, response]: Parameters<StreamableHTTPServerTransport['handleRequest']>
) {
  const mcp = new McpServer({ name: 'weather', version: '1' });
  mcp.registerTool('forecast', { inputSchema: { city: z.string() } }, ({ city }) => ({
    content: [{ type: 'text', text: `Sunny: ${city}` }],
  }));
  const transport = new StreamableHTTPServerTransport({});
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}
