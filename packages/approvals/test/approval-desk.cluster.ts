import { expect } from 'chai';
import type { Cluster } from 'ioredis';
import { podChannel, redisOptions, subscribe, type Subscriber } from '@parley/session-store';
import { needs, startRedisCluster, waitFor, type RedisCluster } from '@parley/testkit';
import { by, DeskScene } from './support/desk-scene.js';

describe('the approval desk on a Redis Cluster', () => {
  needs('redis-server');
  let cluster: RedisCluster;
  let scene: DeskScene;

  before(async () => {
    cluster = await startRedisCluster();
    scene = await DeskScene.open(redisOptions(cluster.settings));
    scene.begin();
  });
  after(async () => {
    await scene.close();
    await cluster.stop();
  });

  it('does not take owners that listen at another node for deaf', async () => {
    const calls = await Promise.all(Array.from({ length: 20 }, () => scene.waitingCall(60_000)));
    const heard = new Set<string>();
    const owners: Subscriber[] = [];
    for (const { owner } of calls)
      owners.push(
        await subscribe({
          ...redisOptions(cluster.settings),
          channel: podChannel(owner),
          onMessage: (message) => heard.add(message),
          onGap: () => undefined,
        }),
      );
    for (const call of calls) await scene.desk.decide(call, 'approved', by);
    await waitFor(() => heard.size === calls.length, { what: 'the hints' });
    for (const owner of owners) owner.close();
    // Whatever was published before has been answered, too.
    for (const node of (scene.stores.redis as Cluster).nodes('master')) await node.ping();
    expect(await scene.counted('parley_approval_hints_unheard_total')).to.be.empty;
    expect(scene.errors).to.be.empty;
  });
});
