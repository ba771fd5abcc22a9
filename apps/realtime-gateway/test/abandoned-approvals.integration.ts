import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { TestClient } from './support/test-client.js';
import { ToolScene } from './support/tool-scene.js';

const sessions = 12;

describe('clients that vanish while their calls wait for approval', () => {
  let scene: ToolScene;
  before(async () => (scene = await ToolScene.open()));
  after(() => scene.stage.close());

  it('leave nothing behind', async () => {
    await scene.begin();
    await scene.client.leave();
    const clients = await Promise.all(Array.from({ length: sessions }, waiting));
    expect(await gauge('parley_realtime_approvals_waiting')).to.equal(sessions);
    for (const client of clients) client.socket.terminate();
    await waitFor(async () => (await decided()) === sessions || undefined, { what: 'the record' });
    await waitFor(async () => (await listed()) === 0 || undefined, { what: 'the live sessions' });
    for (const name of ['parley_realtime_approvals_waiting', 'parley_tools_running'])
      await waitFor(async () => (await gauge(name)) === 0, { what: `${name} to be 0` });
    await waitFor(() => scene.running.gateway.activeSessions === 0, { what: 'the end of all' });
    expect(scene.server.requests).to.be.empty;
  });

  async function waiting(): Promise<TestClient> {
    const { path } = await scene.stage.issue({ conversationId: scene.conversation.id });
    const client = await TestClient.ready(scene.running.origin + path);
    const content = [{ type: 'input_text', text: '!call pay {"amount":5}' }];
    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content },
    });
    client.send({ type: 'response.create' });
    await client.event('approval.waiting');
    return client;
  }

  async function gauge(name: string): Promise<number> {
    const lines = (await scene.running.metrics()).split('\n');
    return lines
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  async function decided(): Promise<number> {
    const calls = await scene.calls();
    return calls.filter(({ status, approval }) => status === 2 && approval === 'cancelled').length;
  }

  async function listed(): Promise<number> {
    const { live, organizationId } = scene.stage.stores;
    return (await live.list(organizationId, { offset: 0, limit: 1 })).total;
  }
});
