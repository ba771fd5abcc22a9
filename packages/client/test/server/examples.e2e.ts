import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  freePort,
  runNode,
  startStandalone,
  waitFor,
  type RunningProgram,
  type Standalone,
} from '@parley/testkit';
import { Parley } from '#src/server/index.js';

const folder = join(import.meta.dirname, '../../examples');

describe('the examples', () => {
  const running: RunningProgram[] = [];
  let standalone: Standalone;
  let parley: Parley;
  let agentId: string;

  const start = async (name: string, env: Record<string, string>): Promise<string> => {
    const { baseUrl, apiKey, organizationId } = standalone.credentials;
    const own = {
      PARLEY_URL: baseUrl,
      PARLEY_API_KEY: apiKey,
      PARLEY_ORGANIZATION: organizationId,
    };
    const program = runNode([join(folder, name)], { env: { ...own, ...env } });
    running.push(program);
    return /http:\/\/\S+/.exec(await program.line(/http:/))![0];
  };

  before(async () => {
    standalone = await startStandalone({ TOOL_EGRESS_ALLOW: 'localhost' });
    parley = new Parley(standalone.credentials);
    const tools = [{ kind: 'builtin', name: 'create_task', approvalRequired: true }] as const;
    agentId = (await parley.agents.create({ name: 'Ada', tools })).id;
  });
  after(async () => {
    for (const program of running) await program.stop();
    await standalone.stop();
  });

  it('are short', () => {
    const lengths = readdirSync(folder)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').length);
    expect(Math.max(...lengths)).to.be.at.most(60);
  });

  it('express-backend.mjs gives a page a session, and lets nobody into another’s conversation', async () => {
    const url = await start('express-backend.mjs', { PORT: '0', PARLEY_AGENT: agentId });
    const page = await fetch(url);
    expect(await page.text()).to.include('/my/session');
    const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
    const ask = (body: object, user = cookie) =>
      fetch(`${url}/my/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: user },
        body: JSON.stringify(body),
      });
    const session = (await (await ask({ clientTools: [] })).json()) as Record<string, string>;
    expect(session['webSocketPath']).to.include('/api/v1/Agent/');
    expect(JSON.stringify(session)).not.to.include(standalone.credentials.apiKey);
    const { conversationId } = session as { conversationId: string };
    expect(await (await ask({ conversationId })).json()).to.include({ conversationId });
    expect((await ask({ conversationId }, 'user=somebody-else')).status).to.equal(403);
    expect((await ask({ clientTools: 'none' })).status).to.equal(502);
  });

  it('webhook-approver.mjs approves what is harmless and rejects the rest', async () => {
    const wanting = (title: string) =>
      parley.questions.ask(agentId, { question: `!call create_task {"title": "${title}"}` });
    await wanting('asked before');
    const port = await freePort();
    const { secret } = await parley.webhooks.create({
      url: `http://localhost:${port}/`,
      events: ['approval.waiting'],
    });
    await start('webhook-approver.mjs', { PORT: String(port), WEBHOOK_SECRET: secret });
    await wanting('harmless');
    await wanting('delete it all');
    await waitFor(async () => (await parley.approvals.list()).total === 0, { what: 'decisions' });
    const rejected = await parley.approvals.list({ state: 'rejected' });
    expect(rejected.items.map((each) => each.arguments)).to.deep.equal([
      { title: 'delete it all' },
    ]);
    expect((await parley.approvals.list({ state: 'approved' })).total).to.equal(2);
    const forged = await fetch(`http://localhost:${port}/`, { method: 'POST', body: '{}' });
    expect(forged.status).to.equal(400);
  });
});
