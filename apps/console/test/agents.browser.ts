import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { z } from 'zod';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';

describe('the agent editor', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let visitor: Visitor;
  let shop: Server;
  let shopUrl: string;

  before(async () => {
    shop = createServer((request, response) => {
      if (request.url === '/mcp') return void answerAsMcp(request, response);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ refunded: request.url }));
    });
    await new Promise<void>((done) => shop.listen(0, 'localhost', done));
    shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`;
    app = await ConsoleUnderTest.open([], { TOOL_EGRESS_ALLOW: 'localhost' });
    visitor = await app.visit({ role: 'editor', path: 'agents/new' });
  });
  after(async () => {
    await app.close();
    shop.closeAllConnections();
    shop.close();
  });

  it('makes an agent with a tool that needs approval, tells a mistake at its field, and tries the tool', async () => {
    const { page } = visitor;
    await page.getByLabel('Name', { exact: true }).fill('Refund desk');
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Refund politely.');
    await page.getByRole('button', { name: 'Create agent' }).click();

    await page.getByRole('tab', { name: 'Tools' }).click();
    await page.getByRole('button', { name: 'Add a tool' }).click();
    await page.getByRole('menuitem', { name: 'HTTP request' }).click();
    await page.getByLabel('Name', { exact: true }).fill('refund');
    await page.getByLabel('Description', { exact: true }).fill('Refund an order.');
    await page.getByLabel('Method', { exact: true }).selectOption('POST');
    await page.getByRole('button', { name: 'Add an argument' }).click();
    await page.getByLabel('Argument', { exact: true }).fill('number');
    await page.getByLabel('Type', { exact: true }).selectOption('integer');
    await page.getByRole('switch', { name: 'A person approves each call' }).click();

    const address = page.getByRole('combobox', { name: 'URL', exact: true });
    await address.fill('nowhere/{{nu');
    await page.getByRole('option', { name: '{{number}}' }).waitFor();
    await address.press('Enter');
    expect(await address.inputValue()).to.equal('nowhere/{{number}}');
    await page.getByRole('button', { name: 'Add a header' }).click();
    await page.getByLabel('Header', { exact: true }).fill('Authorization');
    await page.getByLabel('Value', { exact: true }).fill('Bearer shop-secret');
    await page.getByRole('button', { name: 'Make it a secret' }).click();

    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('This must be an http or https URL').waitFor();
    expect(await address.getAttribute('aria-invalid')).to.equal('true');

    await address.fill(`${shopUrl}/orders/{{number}}`);
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByLabel('number', { exact: true }).fill('1042');
    await page.getByRole('button', { name: 'Run refund' }).click();
    const request = await page.getByLabel('The request as it was sent').textContent();
    expect(request).to.include(`POST ${shopUrl}/orders/1042`).and.include('Bearer [secret]');
    expect(request).not.to.include('shop-secret');
    expect(await page.getByLabel('The result as the model sees it').textContent()).to.include(
      '"refunded": "/orders/1042"',
    );

    const { items } = await app.parley.agents.list({ search: 'Refund desk' });
    expect(items[0]?.secretNames).to.deep.equal(['AUTHORIZATION']);
    expect(items[0]?.tools[0]).to.include({ name: 'refund', approvalRequired: true });
  });

  it('lists the tools of an MCP server as they are now, allows some of them, and tries one', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'All tools' }).click();
    await page.getByRole('button', { name: 'Add a tool' }).click();
    await page.getByRole('menuitem', { name: 'MCP server' }).click();
    await page.getByLabel('Name', { exact: true }).fill('weather');
    await page.getByLabel('Server URL').fill(`${shopUrl}/mcp`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'The server offers 2 tools' }).waitFor();
    await page.getByRole('checkbox', { name: 'flood' }).uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();

    await page.getByLabel('Tool of the server').selectOption('forecast');
    await page.getByLabel('city', { exact: true }).fill('Ulm');
    await page.getByRole('button', { name: 'Run forecast' }).click();
    const result = page.getByLabel('The result as the model sees it');
    expect(await result.textContent()).to.include('Sunny: Ulm');
    const { items } = await app.parley.agents.list({ search: 'Refund desk' });
    expect(items[0]?.tools[1]).to.deep.include({ name: 'weather', allowedTools: ['forecast'] });
  });

  it('has fallbacks for its connection, in their order', async () => {
    const { page } = visitor;
    const [agent] = (await app.parley.agents.list({ search: 'Refund desk' })).items;
    const [first, second] = await Promise.all(
      ['Spare one', 'Spare two'].map((name) =>
        app.parley.connections.create({ name, kind: 'openai', secret: 'sk-spare' }),
      ),
    );
    await page.reload();
    await page.getByRole('tab', { name: 'Model and voice' }).click();
    const add = page.getByRole('button', { name: 'Add a fallback' });
    await add.click();
    await add.click();
    expect(await add.isDisabled()).to.equal(true);
    await page.getByLabel('Fallback 1', { exact: true }).selectOption('Spare two');
    await page.getByLabel('Fallback 2', { exact: true }).selectOption('Spare one');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    const fallbacks = async () => (await app.parley.agents.get(agent!.id)).fallbackConnectionIds;
    expect(await fallbacks()).to.deep.equal([second!.id, first!.id]);
    await page.getByRole('button', { name: 'Remove fallback 1' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    expect(await fallbacks()).to.deep.equal([first!.id]);
  });

  it('guards what is not saved: against leaving, a reload, and somebody else', async () => {
    const { page } = visitor;
    const { items } = await app.parley.agents.list({ search: 'Refund desk' });
    const agentId = items[0]!.id;
    await page.getByRole('tab', { name: 'Instructions' }).click();
    const instructions = page.getByRole('textbox', { name: 'Instructions' });
    await instructions.fill('Mine.');
    await page.getByRole('tab', { name: 'Model and voice' }).click();
    await page.getByRole('tab', { name: 'Instructions' }).click();
    expect(await instructions.inputValue()).to.equal('Mine.');

    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();

    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved changes').waitFor();
    expect(await instructions.inputValue()).to.equal('Mine.');

    await app.parley.agents.update(agentId, { voice: 'marin' });
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('You changed different parts').waitFor();
    await page.getByRole('button', { name: 'Apply my changes to theirs' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    expect(await app.parley.agents.get(agentId)).to.include({
      voice: 'marin',
      systemMessage: 'Mine.',
    });
  });
});

async function answerAsMcp(
  ...[request, response]: Parameters<StreamableHTTPServerTransport['handleRequest']>
) {
  const mcp = new McpServer({ name: 'weather', version: '1' });
  const inputSchema = { city: z.string() };
  mcp.registerTool('forecast', { description: 'Tells the weather.', inputSchema }, ({ city }) => ({
    content: [{ type: 'text', text: `Sunny: ${city}` }],
  }));
  mcp.registerTool('flood', { description: 'Opens the gates.' }, () => ({ content: [] }));
  const transport = new StreamableHTTPServerTransport({});
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}
