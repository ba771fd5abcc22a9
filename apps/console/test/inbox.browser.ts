import { expect } from 'chai';
import { RealtimeSession } from '@parley/client';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest } from './support/console-under-test.js';

describe('the inbox of approvals', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let session: RealtimeSession;

  before(async () => {
    app = await ConsoleUnderTest.open();
  });
  beforeEach(async () => {
    const { agentId, baseUrl } = app.credentials;
    session = await RealtimeSession.connect({
      baseUrl,
      create: ({ conversationId }) =>
        app.parley.realtimeSessions.create(agentId, { conversationId }),
    });
  });
  afterEach(() => session.close());
  after(() => app.close());

  /** The caller asks for something that a person has to allow. */
  async function askFor(title: string): Promise<void> {
    const waiting = new Promise<void>((resolve) => {
      session.on('approval', () => resolve());
    });
    session.sendText(`!call create_task ${JSON.stringify({ title })}`);
    await waiting;
  }

  it('shows an approver what waits as it comes, and the call goes on once they press A', async () => {
    const approver = await app.visit({ role: 'approver', path: 'approvals' });
    const { page } = approver;
    await page.getByText('No approvals are waiting').waitFor();
    const answered = new Promise<string>((resolve) => {
      session.on('transcript', ({ role, text, final }) => {
        if (role === 'assistant' && final) resolve(text);
      });
    });
    await askFor('Call Ada back');
    const card = page.getByRole('article', { name: /^Approval/ });
    await card.getByText('Call Ada back').waitFor();
    await page.keyboard.press('a');
    await card.getByText('Approved').waitFor();
    await card.getByText('by you').waitFor();
    expect(await answered).to.include('Call Ada back');
    await page.getByRole('tab', { name: 'Decided' }).click();
    await page.getByRole('row', { name: /Approved you/ }).waitFor();
    expect(approver.complaints).to.deep.equal([]);
    await approver.close();
  });

  it('lets an approver decide whose computer has the wrong time', async () => {
    const { page, close } = await app.visit({ role: 'approver', path: 'approvals' });
    await page.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 3_600_000;
    });
    await page.reload();
    await askFor('Call Grace back');
    const card = page.getByRole('article', { name: /^Approval/ });
    await card.waitFor();
    expect(await card.getByRole('timer').innerText()).to.match(/^[45]:\d\d left$/);
    await page.keyboard.press('a');
    await card.getByText('Approved').waitFor();
    await close();
  });

  it('notifies an approver who wants that, on any page', async () => {
    const { page, close } = await app.visit({ role: 'approver', path: 'agents' });
    await page.evaluate(() => {
      localStorage.setItem('parley-approval-alerts', '{"notification":true}');
      class Shown {
        static readonly permission = 'granted';
        constructor(title: string, { tag }: { tag: string }) {
          document.body.dataset['notified'] = `${title} ${tag}`;
        }
      }
      Object.assign(globalThis, { Notification: Shown });
    });
    await askFor('Ring the bell');
    await page.waitForFunction(() => document.body.dataset['notified'] !== undefined);
    const { items } = await app.parley.approvals.list({ state: 'waiting' });
    expect(items.map(({ id }) => `A tool call needs your approval ${id}`)).to.include(
      await page.evaluate(() => document.body.dataset['notified']),
    );
    await close();
  });

  it('tells the second of two people who was first', async () => {
    const [first, second] = [
      await app.visit({ role: 'approver', path: 'approvals' }),
      await app.visit({ role: 'approver', path: 'approvals' }),
    ];
    await askFor('Order paper');
    await second.page.getByRole('button', { name: 'Approve' }).waitFor();
    // Held back, so that the second decides on what they still see.
    await second.page.route('**/api/v1/Approval?**State=waiting**', () => undefined);
    await first.page.getByRole('button', { name: 'Reject' }).click();
    await first.page.getByText('by you').waitFor();
    await second.page.getByRole('button', { name: 'Approve' }).click();
    const card = second.page.getByRole('article', { name: /^Approval/ });
    await card.getByText('Somebody else decided first').waitFor();
    expect(await card.innerText()).to.match(/Rejected\s+by Ada \d/);
    await first.close();
    await second.close();
  });

  it('has no buttons for a viewer, and the API refuses their decision', async () => {
    const viewer = await app.visit({ role: 'viewer', path: 'approvals' });
    await askFor('Pay a bill');
    const { page } = viewer;
    await page.getByText('An approver decides them').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).to.equal(0);
    const { items } = await app.parley.approvals.list();
    const id = items.at(-1)?.id ?? '';
    const status = await page.evaluate(
      async ([approvalId, organizationId]) => {
        const me = (await (await fetch('/api/v1/Me')).json()) as { csrfToken: string };
        const answer = await fetch(`/api/v1/Approval/${approvalId}/approve`, {
          method: 'POST',
          headers: { 'x-org-id': organizationId ?? '', 'x-parley-csrf': me.csrfToken },
        });
        return answer.status;
      },
      [id, app.credentials.organizationId],
    );
    expect(status).to.equal(403);
    const waiting = await app.parley.approvals.list();
    expect(waiting.items.map((approval) => approval.id)).to.include(id);
    await viewer.close();
  });
});
