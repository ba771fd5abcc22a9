import { expect } from 'chai';
import { recordings, startReplayProvider, waitFor, type RecordedEvent } from '@parley/testkit';
import { Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const recorded = await recordings();

describe('recorded provider traffic', () => {
  if (!recorded) {
    it('passes the gateway unchanged', function () {
      console.warn('SKIPPED: PROVIDER_DATA names no folder with provider-recordings.');
      this.skip();
    });
    return;
  }
  let stage: Stage;
  before(async () => {
    stage = await Stage.open();
  });
  after(() => stage.close());

  for (const [name, recording] of recorded)
    it(`passes the gateway unchanged and in order: ${name}`, async () => {
      const provider = await startReplayProvider(recording);
      const { origin } = await stage.startGateway({ providerUrl: provider.url });
      const { path } = await stage.issue({ clientTools: toolsOf(recording) });
      const client = await TestClient.ready(origin + path);
      const said = await speak(client, recording);
      await provider.played;
      await waitFor(() => client.frames.length >= provider.sent.length, { what: 'all events' });
      expect(client.frames.map(({ data }) => data.toString())).to.deep.equal(provider.sent);
      expect(provider.received.slice(1)).to.deep.equal(said);
      await client.leave();
      await provider.stop();
    });
});

/** Says what the recorded client said, each after everything that it had heard by then. */
async function speak(client: TestClient, recording: readonly RecordedEvent[]): Promise<string[]> {
  const said: string[] = [];
  let heard = 0;
  for (const { from, event } of recording) {
    if (from === 'provider') heard += 1;
    else if (event.type !== 'session.update') {
      await waitFor(() => client.frames.length >= heard, { what: `${heard} events` });
      said.push(JSON.stringify(event));
      client.send(event);
    }
  }
  return said;
}

function toolsOf(recording: readonly RecordedEvent[]): { name: string; description: string }[] {
  const update = recording.find(({ event }) => event.type === 'session.update');
  const session = update?.event['session'] as { tools?: { name: string }[] } | undefined;
  return (session?.tools ?? []).map(({ name }) => ({ name, description: name }));
}
