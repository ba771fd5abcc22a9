import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { startRawProvider } from '../support/raw-provider.js';
import { TestClient } from '../support/test-client.js';
import { ToolScene } from '../support/tool-scene.js';

describe('a live session', () => {
  let scene: ToolScene;
  before(async () => (scene = await ToolScene.open()));
  after(() => scene.stage.close());
  beforeEach(() => scene.begin());

  const listed = async () => {
    const { live, organizationId } = scene.stage.stores;
    const { id: conversationId } = scene.conversation;
    return (await live.list(organizationId, { offset: 0, limit: 9, conversationId })).items;
  };
  const mine = () => waitFor(async () => (await listed())[0], { what: 'the session in the list' });

  it('is listed with its pod while it lasts', async () => {
    const { agentId, organizationId } = scene.stage.stores;
    const { id: conversationId } = scene.conversation;
    const { pod } = scene.running.gateway;
    expect(await mine()).to.include({ agentId, organizationId, conversationId, pod });
    await scene.client.leave();
    await waitFor(async () => ((await listed()).length === 0 ? true : undefined), {
      what: 'the end of the session',
    });
  });

  /** A session on a gateway of its own, whose end is recorded when the test says so. */
  const unrecorded = async ({ resumable = false } = {}) => {
    const { stage, conversation } = scene;
    const { records } = stage.stores;
    let record: ((outcome?: 'failed') => void) | undefined;
    const holding: typeof records = {
      ...records,
      recorder(session) {
        const recorder = records.recorder(session);
        const end = recorder.end.bind(recorder);
        recorder.end = (given, onSettled) => {
          record = (outcome) => (outcome ? onSettled?.(outcome) : end(given, onSettled));
        };
        return recorder;
      },
    };
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const options = { providerUrl: provider.url, records: holding };
    const { origin, gateway } = await stage.startGateway(options);
    const { path } = await stage.issue({ conversationId: conversation.id, resumable });
    const client = await TestClient.ready(origin + path);
    const session = await waitFor(
      async () => (await listed()).find(({ pod }) => pod === gateway.pod),
      { what: 'the session in the list' },
    );
    const ended = () => waitFor(() => record, { what: 'its end' });
    return { client, gateway, session, ended };
  };
  const isRemoved = async ({ id }: { id: string }) => {
    const { live } = scene.stage.stores;
    await waitFor(async () => (await live.find(id)) === undefined, { what: 'its removal' });
  };

  it('stays registered until its end is recorded, so that somebody finds it if its pod dies', async () => {
    const { client, gateway, session, ended } = await unrecorded();
    await client.leave();
    const record = await ended();
    await waitFor(() => gateway.activeSessions === 0, { what: 'its end' });
    const { live } = scene.stage.stores;
    expect(await live.find(session.id)).to.include({ pod: gateway.pod });
    record();
    await isRemoved(session);
  });

  for (const resumable of [false, true])
    it(`stays so while its gateway drains, ${resumable ? 'if it is handed over' : 'if it ends'}`, async () => {
      const { gateway, session, ended } = await unrecorded({ resumable });
      const drained = gateway.drain();
      const record = await ended();
      await drained;
      const { live } = scene.stage.stores;
      expect(await live.find(session.id)).to.include({ pod: gateway.pod });
      record();
      await isRemoved(session);
    });

  it('is left to the worker if its end cannot be recorded', async () => {
    const { client, gateway, session, ended } = await unrecorded();
    await client.leave();
    (await ended())('failed');
    const { live, organizationId } = scene.stage.stores;
    // A removal would be on its way to Redis before this.
    await live.count(organizationId);
    expect(await live.find(session.id)).to.include({ pod: gateway.pod });
  });

  it('is ended by whoever revokes it, with everything that waits in it', async () => {
    const { id } = await mine();
    scene.say('!call pay {"amount":5}');
    await scene.dataOf('approval.waiting');
    const { live, organizationId } = scene.stage.stores;
    expect(await live.revoke(organizationId, id)).to.equal(true);
    expect(await scene.client.closed).to.deep.equal({ code: 4412, reason: 'SessionRevoked' });
    expect(await scene.client.lastError()).to.include({ code: 'SessionRevoked' });
    await waitFor(
      async () => ((await scene.calls())[0]?.approval === 'cancelled' ? true : undefined),
      {
        what: 'the end of the call',
      },
    );
    expect(scene.server.requests).to.be.empty;
  });
});
