import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertUsage, quotaUse, sessionsOfConversation, setQuotas } from '@parley/database';
import { waitFor } from '@parley/testkit';
import { startRawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { refusalOf, TestClient, type Closing } from './support/test-client.js';

describe('the quotas of an organization', () => {
  let stage: Stage;
  let pods: RunningGateway[];
  before(async () => {
    stage = await Stage.open();
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const limits = { quotaLookMs: 20, quotaNoticeSeconds: 1 };
    const start = () => stage.startGateway({ providerUrl: provider.url, limits });
    pods = [await start(), await start()];
  });
  after(() => stage.close());

  const setQuota = (quota: 'realtimeSessions' | 'tokensPerDay', value: number | null) =>
    stage.stores.database.asSystem((system) =>
      setQuotas(system, stage.stores.organizationId, new Map([[quota, value]])),
    );
  const inScope = <T>(
    work: Parameters<typeof stage.stores.database.inOrganization<T>>[1],
  ): Promise<T> => stage.stores.database.inOrganization(stage.stores.organizationId, work);
  const refused = (metrics: string, quota: string) =>
    Number(new RegExp(`quota_refusals_total\\{quota="${quota}".*\\} (\\d+)`).exec(metrics)?.[1]);
  const issued = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await stage.issue()).path));
  const openOrRefuse = async (path: string, at: number) => {
    const client = new TestClient(`${pods[at % 2]!.origin}${path}&errors=close`);
    let closing: Closing | undefined;
    void client.closed.then((told) => (closing = told));
    const updated = () => client.events.find(({ type }) => type === 'session.updated');
    const first = await waitFor(() => closing ?? updated(), { what: 'an answer' });
    return { client, first };
  };

  it('admit so many sessions at a time on all pods, though more were created', async () => {
    await setQuota('realtimeSessions', 3);
    const paths = await issued(8);
    const all = await Promise.all(paths.map((path, at) => openOrRefuse(path, at)));
    const closed = all.flatMap(({ first }) => ('code' in first ? [first] : []));
    expect(closed).to.have.length(5);
    for (const closing of closed)
      expect(closing).to.deep.equal({ code: 4429, reason: 'QuotaReached' });
    const one = all.find(({ first }) => 'code' in first)!;
    expect(await one.client.lastError()).to.include({ code: 'QuotaReached' });
    const [path = ''] = await issued(1);
    const { status, headers, body } = await refusalOf(pods[0]!.origin + path);
    expect(status).to.equal(429);
    expect(body).to.include({ type: '/docs/errors#quota-reached', quota: 'realtimeSessions' });
    expect(headers['retry-after']).to.equal('30');
    const counts = await Promise.all(
      pods.map(async (pod) => refused(await pod.metrics(), 'realtimeSessions')),
    );
    expect(counts[0]! + counts[1]!).to.equal(6);
    await waitFor(async () => (await inScope(quotaUse.realtimeSessions)) === 3 || undefined, {
      what: 'the ends of the refused ones in the record',
    });
    for (const { client, first } of all) if (!('code' in first)) await client.leave();
    await setQuota('realtimeSessions', null);
    const [again = ''] = await issued(1);
    await (await TestClient.ready(pods[1]!.origin + again)).leave();
  });

  it('end a session that goes on beyond the tokens of the day, after telling it', async () => {
    await setQuota('tokensPerDay', 100);
    const [path = '', later = ''] = await issued(2);
    const client = await TestClient.ready(pods[0]!.origin + path);
    const { conversationId } = stage.stores;
    await inScope(async (scope) => {
      const { sessions } = await sessionsOfConversation(scope, conversationId);
      await insertUsage(scope, [
        {
          ...{ conversationId, sessionId: sessions.at(-1)!.id, source: 'response', model: 'm' },
          ...{ sourceId: randomUUID(), inputTextTokens: 60, inputAudioTokens: 0, seconds: 0 },
          ...{ inputCachedTokens: 60, outputTextTokens: 0, outputAudioTokens: 40 },
        },
      ]);
    });
    const { data } = await client.event('session.expiring');
    expect(data).to.deep.equal({ reason: 'QuotaReached', secondsLeft: 1 });
    expect(await client.lastError()).to.include({ code: 'QuotaReached' });
    expect(await client.closed).to.deep.equal({ code: 4429, reason: 'QuotaReached' });
    const refusal = await refusalOf(pods[0]!.origin + later);
    expect(refusal.body).to.include({ status: 429, quota: 'tokensPerDay' });
    expect(refused(await pods[0]!.metrics(), 'tokensPerDay')).to.equal(2);
    await setQuota('tokensPerDay', null);
  });
});
