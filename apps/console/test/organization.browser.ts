import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Client } from 'pg';
import { RealtimeSession } from '@parley/client';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';

describe('looking after an organization', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let owner: Visitor;
  /** Somebody else's server, which takes webhooks at /hook and refuses models. */
  let elsewhere: Server;
  let elsewhereUrl: string;
  const hooks: { id: unknown; body: string }[] = [];

  before(async () => {
    elsewhere = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (request.url !== '/hook') {
          const error = { code: 'account_deactivated', message: 'This account is deactivated.' };
          response.writeHead(401).end(JSON.stringify({ error }));
          return;
        }
        hooks.push({ id: request.headers['webhook-id'], body: Buffer.concat(parts).toString() });
        response.end();
      });
    });
    await new Promise<void>((done) => elsewhere.listen(0, 'localhost', done));
    elsewhereUrl = `http://localhost:${(elsewhere.address() as AddressInfo).port}`;
    app = await ConsoleUnderTest.open([], {
      TOOL_EGRESS_ALLOW: 'localhost',
      REALTIME_APPROVAL_TIMEOUT_SECONDS: '5',
    });
    owner = await app.visit({ path: 'keys' });
  });
  after(async () => {
    await owner.close();
    await app.close();
    elsewhere.closeAllConnections();
    elsewhere.close();
  });

  const listAgents = async (apiKey: string): Promise<number> => {
    const { baseUrl, organizationId } = app.credentials;
    const headers = { 'x-api-key': apiKey, 'x-org-id': organizationId };
    const response = await fetch(`${baseUrl}/api/v1/Agent`, { headers });
    return response.status;
  };

  it('makes a key that works until it is revoked, and shows it once', async () => {
    const { page } = owner;
    await page.goto(app.url('keys'));
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Night shift');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const apiKey = await page.getByLabel('API key', { exact: true }).textContent();
    expect(await listAgents(apiKey ?? '')).to.equal(200);

    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    expect(await page.getByLabel('API key', { exact: true }).textContent()).to.equal(apiKey);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.reload();
    const row = page.getByRole('row', { name: /Night shift/ });
    await row.waitFor();
    expect(await page.content()).not.to.include(apiKey);

    await row.getByRole('button', { name: 'Actions for Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    expect(await page.getByRole('dialog').textContent()).to.include('read or change agents');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    expect(await listAgents(apiKey ?? '')).to.equal(401);
  });

  it('saves the audit log as a file, under the policy of the page', async () => {
    const { page, complaints } = owner;
    await page.goto(app.url('audit'));
    await page.getByRole('table', { name: 'Audit records' }).waitFor();
    complaints.length = 0;
    await page.getByRole('button', { name: 'Export' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).to.equal('audit-log.csv');
    const [header, ...rows] = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n');
    expect(header).to.match(/^sequence,occurredAt,actorKind/);
    expect(rows.length).to.be.above(0);
    await page.getByText(`Saved ${rows.length} record`).waitFor();
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).to.deep.equal([]);
  });

  it('sends a webhook’s event again, which arrives under the same id', async () => {
    const { page } = owner;
    const { id } = await app.parley.webhooks.create({
      url: `${elsewhereUrl}/hook`,
      events: ['task.changed'],
    });
    await page.goto(app.url(`webhooks/${id}`));
    await page.getByText('No deliveries yet').waitFor();
    const task = await app.parley.tasks.create({ title: 'Order paper' });
    await page.reload();
    const row = page.getByRole('row', { name: /task\.changed/ });
    await row.getByText('Delivered').waitFor();
    await row.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Sent again').waitFor();
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await row.getByText('Delivered').waitFor();
    expect(hooks).to.have.length(2);
    for (const { body } of hooks) expect(body).to.include(task.id);
    expect(hooks[1]?.id).to.equal(hooks[0]?.id).and.to.be.a('string');
  });

  it('tells in the provider’s own words why a connection does not work', async () => {
    const { page } = owner;
    await page.goto(app.url('connections'));
    await page.getByRole('button', { name: 'Create connection' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('Our account');
    await form.getByLabel('Provider').selectOption('openai-compatible');
    await form.getByLabel('Address', { exact: true }).fill(elsewhereUrl);
    await form.getByRole('button', { name: 'Create connection' }).click();
    await page.getByRole('button', { name: 'Actions for Our account' }).click();
    await page.getByRole('menuitem', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Test the connection' }).click();
    await page.getByText('The provider refused').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Test “Our account”' });
    expect(await dialog.innerText()).to.include('This account is deactivated.');
  });

  it('adds a member, who comes in by the link as a viewer, and whose changes the API refuses', async () => {
    const { page } = owner;
    await page.goto(app.url('members'));
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Name (optional)').fill('Grace');
    await page.getByRole('radio', { name: /^Viewer/ }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add member' }).click();
    const link = (await page.getByLabel('sign-in link', { exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: /grace@example\.com Viewer/ }).waitFor();

    const grace = await app.newPage();
    await grace.page.goto(link);
    await grace.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await grace.page.goto(app.url('agents'));
    await grace.page.getByRole('row', { name: /Demo agent/ }).waitFor();
    expect(await grace.page.getByRole('button', { name: /create|new agent/i }).count()).to.equal(0);
    const answer = await grace.page.evaluate(async (organizationId) => {
      const me = (await (await fetch('/api/v1/Me')).json()) as { csrfToken: string };
      const response = await fetch('/api/v1/Agent', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-org-id': organizationId,
          'x-parley-csrf': me.csrfToken,
        },
        body: JSON.stringify({ name: 'Mine', systemMessage: 'x' }),
      });
      return { status: response.status, text: await response.text() };
    }, app.credentials.organizationId);
    expect(answer.status, answer.text).to.equal(403);
    expect((await app.parley.agents.list({ search: 'Mine' })).total).to.equal(0);
    await grace.close();
  });

  it('says of an approval that nobody has decided it in time, and takes its buttons away', async () => {
    const { page } = owner;
    await page.goto(app.url('approvals'));
    await page.getByText('No approvals are waiting').waitFor();
    const { agentId, baseUrl } = app.credentials;
    const session = await RealtimeSession.connect({
      baseUrl,
      create: ({ conversationId }) =>
        app.parley.realtimeSessions.create(agentId, { conversationId }),
    });
    session.sendText('!call create_task {"title": "Nobody looks at this"}');
    const card = page.getByRole('article', { name: /^Approval/ });
    await card.getByRole('button', { name: 'Approve' }).waitFor();
    await card.getByText('Not decided in time').waitFor();
    expect(await card.getByRole('button', { name: /Approve|Reject/ }).count()).to.equal(0);
    await page.getByRole('tab', { name: 'Decided' }).click();
    await page.getByRole('row', { name: /Not decided in time/ }).waitFor();
    session.close();
  });

  it('filters the audit log, by what the address keeps', async () => {
    const { page } = owner;
    await app.parley.tasks.create({ title: 'Water the plants' });
    await page.goto(app.url('audit'));
    const table = page.getByRole('table', { name: 'Audit records' });
    await table.getByRole('link', { name: 'organization.created' }).waitFor();
    await page.getByRole('search').getByRole('combobox').selectOption('task.created');
    await table.getByRole('link', { name: 'organization.created' }).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'task.created' }).first().waitFor();
    const shown = await table.getByRole('link').allTextContents();
    expect(new Set(shown)).to.deep.equal(new Set(['task.created']));
    await page.reload();
    await table.getByRole('link', { name: 'task.created' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('action')).to.equal('task.created');
    await page.getByRole('searchbox', { name: 'Who' }).fill('nobody of this name');
    await page.getByText('No matching records').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await table.getByRole('link', { name: 'organization.created' }).waitFor();
  });

  it('tells whether the audit log is as it was written, and which record is not', async () => {
    const { page } = owner;
    await page.goto(app.url('audit'));
    const status = page.getByRole('status').filter({ hasText: /record/ });
    await status.getByText('Verified').waitFor();
    const forger = new Client({ connectionString: app.databaseUrl });
    await forger.connect();
    await forger.query(
      `update audit_log set action = 'forged' where organization_id = $1 and sequence = 2`,
      [app.credentials.organizationId],
    );
    await forger.end();
    await status.getByRole('button', { name: 'Check again' }).click();
    await status.getByText('Broken').waitFor();
    expect(await status.innerText()).to.include('fails verification at record 2');
  });
});
