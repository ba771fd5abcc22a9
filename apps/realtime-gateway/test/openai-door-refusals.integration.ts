import { expect } from 'chai';
import { insertApiKey } from '@parley/database';
import { ephemeralKey } from '@parley/session-store';
import { newOrganization } from './support/organization.js';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway, type StartOptions } from './support/stage.js';
import { refusalOf } from './support/test-client.js';

describe('a client of OpenAI that is refused', () => {
  let stage: Stage;
  let provider: RawProvider;
  let running: RunningGateway;

  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    running = await start();
  });
  after(() => stage.close());

  const start = (more: StartOptions = {}) =>
    stage.startGateway({
      providerUrl: provider.url,
      ...more,
      settings: { OPENAI_DOOR: true, ...more.settings },
    });

  it('had a key, a token or an organization that opens nothing', async () => {
    const { database, key, organizationId, agentId } = stage.stores;
    const other = await newOrganization(database);
    const { key: mute } = await database.asSystem((system) =>
      insertApiKey(system, { organizationId, name: 'mute', scopes: ['agents'] }),
    );
    const { key: over } = await database.asSystem((system) =>
      insertApiKey(system, { organizationId, name: 'over', expiresAt: new Date(0) }),
    );
    const { token: foreign } = await stage.issue();
    const { token: late } = await stage.issue({}, 0);
    const cases: [Parameters<typeof refused>[0], object][] = [
      [{}, { status: 401, code: 'invalid_api_key' }],
      [{ key: 'sk-wrong' }, { status: 401, code: 'invalid_api_key' }],
      [{ key: over }, { status: 401, code: 'invalid_api_key' }],
      [{ key: 'ek_wrong' }, { status: 401, code: 'invalid_api_key' }],
      [{ key: ephemeralKey('x'.repeat(43)) }, { status: 401, code: 'invalid_api_key' }],
      [{ key: ephemeralKey(late) }, { status: 401, code: 'RealtimeSessionExpired' }],
      [
        { key: ephemeralKey(foreign), model: other.organizationId },
        { status: 401, code: 'invalid_api_key' },
      ],
      [
        { key, organization: other.organizationId },
        { status: 403, code: 'mismatched_organization' },
      ],
      [{ key: mute }, { status: 403, code: 'RealtimeNotEnabled' }],
      [{ key: other.key }, { status: 404, code: 'model_not_found' }],
      [
        { key: other.key, model: other.organizationId },
        { status: 404, code: 'model_not_found' },
      ],
      [
        { key, model: 'gpt-realtime' },
        { status: 404, code: 'model_not_found' },
      ],
      [
        { key, model: '' },
        { status: 404, code: 'model_not_found' },
      ],
    ];
    for (const [asked, expected] of cases)
      expect(await refused({ model: agentId, ...asked }), JSON.stringify(asked)).to.include(
        expected,
      );
  });

  it('had too many sessions or too many failures', async () => {
    const few = await start({ settings: { RATE_LIMIT_SESSIONS_PER_MINUTE: 1 } });
    const { key } = await stage.stores.database.asSystem((system) =>
      insertApiKey(system, { organizationId: stage.stores.organizationId, name: 'few' }),
    );
    await refused({ key, model: 'x', at: few });
    const limited = await refused({ key, at: few });
    expect(limited).to.include({ status: 429, code: 'rate_limit_exceeded' });
    expect(limited.retryAfter).to.be.greaterThan(0);
    const strict = await start({ failuresPerMinute: 2 });
    for (let n = 0; n < 2; n += 1) await refused({ key: 'sk-wrong', at: strict });
    const throttled = await refused({ key: stage.stores.key, at: strict });
    expect(throttled).to.include({ status: 429, code: 'rate_limit_exceeded' });
  });

  it('finds nothing when the door is shut', async () => {
    const shut = await start({ settings: { OPENAI_DOOR: false } });
    const { key } = stage.stores;
    expect(await refused({ key, at: shut })).to.include({ status: 404 });
    const plain = await fetch(`${shut.origin.replace('ws', 'http')}/v1/realtime`);
    expect(plain.status).to.equal(404);
    const open = await fetch(`${running.origin.replace('ws', 'http')}/v1/realtime`);
    expect(open.status).to.equal(426);
  });
  type Asked = { key?: string; model?: string; organization?: string; at?: RunningGateway };

  async function refused({ key, model = stage.stores.agentId, organization, at = running }: Asked) {
    const headers = {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(organization !== undefined && { 'OpenAI-Organization': organization }),
    };
    const url = `${at.origin}/v1/realtime?model=${encodeURIComponent(model)}`;
    const answer = await refusalOf(url, { headers });
    const { error } = answer.body as { error?: { code: string } };
    return {
      status: answer.status,
      code: error?.code,
      retryAfter: Number(answer.headers['retry-after']),
    };
  }
});
