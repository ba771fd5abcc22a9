import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startRawProvider } from './support/raw-provider.js';
import { sessionPath, Stage, type RunningGateway } from './support/stage.js';
import { refusalOf, TestClient } from './support/test-client.js';

describe('upgrades with wrong tokens', () => {
  const failuresPerMinute = 4;
  let stage: Stage;
  let running: RunningGateway;
  let consumed = 0;
  before(async () => {
    stage = await Stage.open();
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const { tokens } = stage.stores;
    running = await stage.startGateway({
      providerUrl: provider.url,
      failuresPerMinute,
      tokens: {
        consume(hash, attempt) {
          consumed += 1;
          return tokens.consume(hash, attempt);
        },
      },
    });
  });
  beforeEach(() => (consumed = 0));
  after(() => stage.close());

  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const wrongPath = () => sessionPath(stage.stores, randomBytes(32).toString('base64url'));

  it('are refused before Redis is asked, once an address has sent too many', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1)
      statuses.push((await refusalOf(running.origin + wrongPath(), from('203.0.113.1'))).status);
    expect(statuses.slice(0, failuresPerMinute)).to.deep.equal([400, 400, 400, 400]);
    expect(statuses.slice(failuresPerMinute)).to.deep.equal(Array(16).fill(429));
    expect(consumed).to.equal(failuresPerMinute);
    const refused = await refusalOf(running.origin + wrongPath(), from('203.0.113.1'));
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(refused.body).to.include({ type: '/docs/errors#rate-limited', status: 429 });
    expect(await running.metrics()).to.match(
      /parley_realtime_sessions_refused_total\{reason="rate-limited".*\} 17/,
    );
  });

  it('keep nobody else out', async () => {
    const { path } = await stage.issue();
    const client = await TestClient.ready(running.origin + path, from('203.0.113.2'));
    await client.leave();
    expect(consumed).to.equal(1);
  });
});
