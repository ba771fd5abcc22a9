import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';

describe('a form that is opened again', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let visitor: Visitor;

  before(async () => {
    app = await ConsoleUnderTest.open();
    visitor = await app.visit();
  });
  after(async () => {
    await visitor.close();
    await app.close();
  });

  const dialog = () => visitor.page.getByRole('dialog');

  it('has the task as it was moved on the board, and saves it', async () => {
    const { page } = visitor;
    const task = await app.parley.tasks.create({ title: 'Order paper' });
    await page.goto(app.url('tasks'));
    const open = async () => {
      await page.getByRole('link', { name: 'Order paper' }).click();
      await dialog().getByLabel('Title').waitFor();
    };
    await open();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move “Order paper”' }).click();
    await page.getByRole('menuitem', { name: 'Move to done' }).click();
    await page.getByText('Moved to done').waitFor();
    await open();
    expect(await dialog().getByLabel('Status').inputValue()).to.equal('done');
    await dialog().getByLabel('Title').fill('Order pens');
    await dialog().getByRole('button', { name: 'Save task' }).click();
    await page.getByText('Task saved').waitFor();
    expect(await app.parley.tasks.get(task.id)).to.include({ title: 'Order pens', status: 'done' });
  });

  it('has the connection as somebody else has changed it', async () => {
    const { page } = visitor;
    const { id } = await app.parley.connections.create({ name: 'Ours', kind: 'simulator' });
    await page.goto(app.url('connections'));
    await page.getByRole('link', { name: 'Ours' }).click();
    await dialog().getByLabel('Name', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await app.parley.connections.update(id, { models: ['fast'] });
    await page.getByRole('link', { name: 'Ours' }).click();
    expect(await dialog().getByLabel('Models (optional)').inputValue()).to.equal('fast');
  });

  it('leaves alone what somebody else changes in a connection while it is open', async () => {
    const { page } = visitor;
    const { id } = await app.parley.connections.create({ name: 'Theirs', kind: 'simulator' });
    await page.goto(app.url(`connections?id=${id}`));
    await dialog().getByLabel('Name', { exact: true }).fill('Both');
    await app.parley.connections.update(id, { enabled: false });
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Connection changed').waitFor();
    expect(await app.parley.connections.get(id)).to.include({ name: 'Both', enabled: false });
  });

  it('leaves alone what somebody else changes in a webhook while it is open', async () => {
    const { page } = visitor;
    const { id } = await app.parley.webhooks.create({
      url: 'https://hooks.example.com/old',
      events: ['task.changed'],
    });
    await page.goto(app.url(`webhooks/${id}`));
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog().getByRole('checkbox', { name: 'approval.waiting' }).check();
    await app.parley.webhooks.update(id, { url: 'https://hooks.example.com/new' });
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Webhook changed').waitFor();
    const { url, events } = await app.parley.webhooks.get(id);
    expect(url).to.equal('https://hooks.example.com/new');
    expect(events).to.have.members(['task.changed', 'approval.waiting']);
  });

  it('sends only what was changed of a key', async () => {
    const { page } = visitor;
    await page.goto(app.url('keys'));
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog().getByLabel('Name').fill('Night shift');
    await dialog().getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Actions for Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Rename or extend' }).click();
    await dialog().getByLabel('Expires').selectOption('never');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Key changed').waitFor();
    expect((await sent).postDataJSON()).to.deep.equal({ expiresAt: null });
  });
});
