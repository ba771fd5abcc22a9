import { expect } from 'chai';
import { startApi, type ApiUnderTest, type TestSettings } from './support/api-under-test.js';
import type { Reply } from './support/contract-client.js';

describe('creating a realtime session is refused with a domain error', () => {
  /** One of each code, over the wire; all the rules are in realtime-rules.test.ts. */
  const cases: [string, TestSettings, (on: Setup) => Promise<Reply>, string][] = [
    [
      'a key without realtime',
      {},
      (on) => on.post({ scopes: ['agents', 'connections'] }),
      'RealtimeNotEnabled',
    ],
    [
      'a simulator without an address',
      {},
      (on) => on.post({ connection: { kind: 'simulator' } }),
      'RealtimeUnsupportedConnection',
    ],
    [
      'a connection that lacks the model',
      {},
      (on) => on.post({ connection: { models: ['other'] } }),
      'RealtimeUnsupportedModel',
    ],
    [
      'an output format that is switched off',
      {},
      (on) => on.post({ body: { outputAudioFormat: 'g711_ulaw' } }),
      'RealtimeAudioFormatUnsupported',
    ],
    [
      'a deployment without realtime',
      { realtime: { REALTIME_ENABLED: false } },
      (on) => on.post(),
      'RealtimeNotEnabled',
    ],
  ];
  for (const [title, settings, ask, errorCode] of cases)
    it(`${errorCode}: ${title}`, async () => {
      const own = await startApi(settings);
      const reply = await ask(setup(own));
      expect(reply.status).to.equal(400);
      expect(reply.headers.get('content-type')).to.match(/^application\/json/);
      expect(reply.body).to.have.all.keys('status', 'detail', 'errorCode');
      expect(reply.body).to.include({ status: 400, errorCode });
      await own.stop();
    });

  it('unless everything fits: an own connection with the model, a format that is switched on', async () => {
    const own = await startApi({
      realtime: { REALTIME_OUTPUT_AUDIO_FORMATS: ['pcm16', 'g711_ulaw'] },
      defaultConnection: null,
    });
    const reply = await setup(own).post({
      connection: { models: ['gpt-realtime'] },
      body: { outputAudioFormat: 'g711_ulaw' },
    });
    expect(reply.status).to.equal(200);
    await own.stop();
  });
});

type Wanted = {
  scopes?: ('agents' | 'connections')[];
  agent?: object;
  connection?: object;
  body?: object;
};
type Setup = { post(wanted?: Wanted): Promise<Reply> };

/** An agent as the case wants it, and a request for a session with it. */
function setup(api: ApiUnderTest): Setup {
  return {
    async post({ scopes, agent = {}, connection, body = {} } = {}) {
      const { client } = await api.organization(scopes ? { scopes } : {});
      const connectionId = connection
        ? (
            (await client.post('/api/v1/Connection', { name: 'C', kind: 'openai', ...connection }))
              .body as { id: string }
          ).id
        : null;
      const { id } = (await client.post('/api/v1/Agent', { name: 'A', connectionId, ...agent }))
        .body as { id: string };
      return client.post(`/api/v1/Agent/${id}/realtime-session`, body);
    },
  };
}
