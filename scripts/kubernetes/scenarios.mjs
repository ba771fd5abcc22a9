// What happens to the release, and which losses that excuses. Whatever a row does not excuse broke a
// promise:
//   happen     makes it happen; resolves with the pod that it happens to, if it happens to one
//   lost       the ends that a session which was open before may have; "none" if it may go on, and
//              undefined if it must
//   refused    the reasons for which a new session may fail meanwhile
//   failed     the reasons for which a call of the API may fail
//   silent     whether turns in sessions of that pod may get no answer, although it goes on
//   restarted  the apps of which one container may restart
//   pods       how many gateways there are afterwards, if their number must have changed
//   unloaded   without sessions and calls
//   needsHands where signals can be sent to the processes of a node
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from './kube.mjs';

const gateway = 'realtime-gateway';
const awaySeconds = 30;
/** 45 s, as the operations page says, and the start. */
const hungSeconds = 60;
/** A connection that ends without a close frame. */
const cut = 1006;
/** The gateway restarts: the client is to come back. */
const restarting = 1012;

/** Sessions end with a word where every gateway is replaced; those that can move do. */
const endsWithAWord = ({ resumable }) => (resumable ? undefined : ['none', restarting]);
/** What a plain session of a pod that dies can only notice. */
const diesWithItsPod = ({ resumable }, { owner, victim }) =>
  owner === victim && !resumable ? [cut] : undefined;
const unavailable = ['not issued: 503', 'refused 503'];

export const scenarios = {
  install: {
    what: 'the chart is installed, under restricted pod security',
    unloaded: true,
    happen: ({ trial }) => trial.install(),
  },
  'helm test': {
    what: 'one real session, and its log',
    unloaded: true,
    async happen({ kube }) {
      const log = await kube.helm(['test', kube.release, '--logs', '--timeout', '3m']);
      if (!log.includes('The agent answered')) throw new Error(`no answer in the log: ${log}`);
    },
  },
  nothing: {
    what: 'nothing fails for 20 s',
    happen: () => delay(20_000),
  },
  'gateways rolled out': {
    what: 'every gateway is replaced, one after the other',
    happen: ({ kube }) => kube.restart(gateway),
    lost: endsWithAWord,
  },
  'apis rolled out': {
    what: 'every api is replaced, one after the other',
    happen: ({ kube }) => kube.restart('api'),
  },
  'gateway force-deleted': {
    what: 'kubectl delete --force: a gateway is killed, and another pod takes its place',
    async happen({ kube }) {
      const [victim] = await kube.pods(gateway);
      await kube.kubectl(['delete', 'pod', victim.name, '--grace-period=0', '--force']);
      await kube.rolledOut(gateway);
      return victim;
    },
    ...{ lost: diesWithItsPod, refused: [String(cut)] },
  },
  'gateway killed': {
    what: 'kill -9 of a gateway, which the kubelet starts again',
    needsHands: true,
    async happen({ kube }) {
      const [victim] = await kube.pods(gateway);
      await kube.signal(victim, 'SIGKILL');
      await restarted(kube, victim);
      return victim;
    },
    ...{ lost: diesWithItsPod, refused: [String(cut)], restarted: [gateway] },
  },
  'api killed': {
    what: 'kill -9 of an api, which the kubelet starts again',
    needsHands: true,
    async happen({ kube }) {
      const [victim] = await kube.pods('api');
      await kube.signal(victim, 'SIGKILL');
      await restarted(kube, victim);
      return victim;
    },
    ...{ refused: ['not issued: 0'], failed: ['no answer'], restarted: ['api'] },
  },
  'gateway hung': {
    what: `SIGSTOP of a gateway, which the kubelet kills and starts again within ${hungSeconds} s`,
    needsHands: true,
    async happen({ kube }) {
      const [victim] = await kube.pods(gateway);
      await kube.signal(victim, 'SIGSTOP');
      await restarted(kube, victim, hungSeconds);
      return victim;
    },
    lost: ({ resumable }, { owner, victim }) =>
      owner === victim ? (resumable ? ['none'] : [cut]) : undefined,
    ...{ refused: [String(cut), 'no answer'], restarted: [gateway], silent: true },
  },
  'Redis away': {
    what: `Redis is scaled to 0 for ${awaySeconds} s`,
    happen: ({ kube }) => away(kube, 'redis'),
    ...{ refused: unavailable },
  },
  'PostgreSQL away': {
    what: `PostgreSQL is scaled to 0 for ${awaySeconds} s`,
    happen: ({ kube }) => away(kube, 'postgres'),
    ...{ refused: unavailable, failed: ['503'] },
  },
  'pods start without Redis': {
    what: 'a gateway, an api and a worker start while Redis is away, and wait for it',
    happen: ({ kube }) => startWithout(kube, 'redis'),
    ...{ lost: endsWithAWord, refused: unavailable },
  },
  'pods start without PostgreSQL': {
    what: 'a gateway, an api and a worker start while PostgreSQL is away, and wait for it',
    happen: ({ kube }) => startWithout(kube, 'postgres'),
    ...{ lost: endsWithAWord, refused: unavailable, failed: ['503'] },
  },
  upgrade: {
    what: 'helm upgrade with another setting; the simulator is not replaced',
    async happen({ kube, trial }) {
      const simulator = await kube.pods('provider-simulator');
      await replacing(kube, () =>
        trial.upgrade({ settings: { REALTIME_MAX_SESSION_SECONDS: 1700 } }),
      );
      const [{ uid }] = await kube.pods('provider-simulator');
      if (uid !== simulator[0].uid) throw new Error('the simulator was replaced');
    },
    lost: endsWithAWord,
  },
  'upgrade refused': {
    what: 'helm upgrade with a wrong password of PostgreSQL fails within a minute, and changes no pod',
    async happen({ kube, trial }) {
      const before = await kube.pods();
      const began = Date.now();
      const database = { existingSecret: 'wrong-secrets' };
      const error = await trial.upgrade({ database }).then(
        () => undefined,
        (reason) => reason,
      );
      if (!error) throw new Error('the upgrade succeeded');
      if (Date.now() - began > 60_000) throw new Error(`only after ${Date.now() - began} ms`);
      const after = new Set((await kube.pods()).map(({ uid }) => uid));
      if (before.some(({ uid }) => !after.has(uid))) throw new Error('pods were replaced');
    },
  },
  rollback: {
    what: 'helm rollback to the revision before the upgrade',
    happen: ({ kube, trial }) => replacing(kube, () => trial.rollback(-3)),
    lost: endsWithAWord,
  },
  'autoscaling turned on': {
    what: 'helm upgrade with autoscaling of at least 3 gateways: 2 become 3, and never fewer',
    pods: 3,
    async happen({ kube, trial }) {
      await neverFewer(kube, 2, () => trial.upgrade(autoscaled(3)));
      await waitUntil('3 gateways', async () => (await kube.replicas(gateway)) === 3);
    },
    lost: endsWithAWord,
  },
  'upgrade while autoscaled': {
    what: 'helm upgrade with another setting: the 3 gateways stay 3',
    pods: 3,
    happen: ({ kube, trial }) =>
      neverFewer(kube, 3, () =>
        replacing(kube, () =>
          trial.upgrade({ ...autoscaled(2), settings: { REALTIME_MAX_SESSION_SECONDS: 1600 } }),
        ),
      ),
    lost: endsWithAWord,
  },
  'back while autoscaled': {
    what: 'the way back of the operations page, by the values of the revision before: 3 stay 3',
    pods: 3,
    happen: ({ kube, trial }) => neverFewer(kube, 3, () => replacing(kube, () => trial.goBack())),
    lost: endsWithAWord,
  },
  'rollback while autoscaled': {
    what: 'helm rollback to the revision before: 3 stay 3',
    pods: 3,
    happen: ({ kube, trial }) =>
      neverFewer(kube, 3, () => replacing(kube, () => trial.rollback(-2))),
    lost: endsWithAWord,
  },
  'rollback too far': {
    what: 'helm rollback to the revision that turned autoscaling on: Helm 4 refuses to set the 2 pods of its time, and an upgrade goes on from there',
    pods: 3,
    happen: ({ kube, trial }) =>
      neverFewer(kube, 3, () =>
        replacing(kube, async () => {
          const error = await trial.rollback(-4).then(
            () => undefined,
            (reason) => reason,
          );
          if (!error?.message.includes('conflict')) throw error ?? new Error('it was not refused');
          await trial.goBack();
        }),
      ),
    lost: endsWithAWord,
  },
  uninstall: {
    what: 'helm uninstall leaves only what the operations page names',
    unloaded: true,
    happen: ({ trial }) => trial.uninstall(),
  },
};

/** Resolves when the container of a pod was started again, and the pod is ready. */
function restarted(kube, victim, seconds = 60) {
  const isBack = async () => {
    const pod = (await kube.pods(victim.app)).find(({ uid }) => uid === victim.uid);
    return pod.restarts > victim.restarts && pod.isReady;
  };
  return waitUntil(`${victim.name} to be back`, isBack, { seconds });
}

async function away(kube, store) {
  const bringBack = await kube.takeAway(store);
  await delay(awaySeconds * 1000);
  await bringBack();
}

async function startWithout(kube, store) {
  const bringBack = await kube.takeAway(store);
  const old = [];
  for (const app of [gateway, 'api', 'worker']) old.push((await kube.pods(app))[0]);
  const names = old.map(({ name }) => name);
  await kube.kubectl(['delete', 'pod', ...names, '--wait=false']);
  const before = new Set(old.map(({ uid }) => uid));
  const started = async () => {
    const pods = await kube.pods();
    const fresh = pods.filter(({ container, isReady }) => container && !isReady);
    return fresh.length >= 3 && fresh.every(({ uid }) => !before.has(uid));
  };
  await waitUntil('three new pods', started);
  await delay(awaySeconds * 1000);
  await bringBack();
  await kube.settled();
  await kube.gone(old);
}

/** Resolves when the pods that a change replaces are gone. */
async function replacing(kube, change) {
  const before = await kube.pods();
  await change();
  await kube.settled();
  const after = new Set((await kube.pods()).map(({ uid }) => uid));
  const replaced = before.filter(({ uid }) => !after.has(uid));
  if (replaced.length > 0) await kube.gone(replaced);
}

/** A change during which the Deployment of the gateways never asks for fewer pods. */
async function neverFewer(kube, fewest, change) {
  const seen = new Set();
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      await kube.replicas(gateway).then(
        (pods) => seen.add(pods),
        () => undefined,
      );
      await delay(500);
    }
  };
  await Promise.all([watch(), change().finally(() => (isDone = true))]);
  if ([...seen].some((pods) => pods < fewest))
    throw new Error(`fewer than ${fewest} gateways: ${[...seen].join(', ')}`);
}

function autoscaled(minReplicas) {
  return { realtimeGateway: { autoscaling: { enabled: true, minReplicas, maxReplicas: 4 } } };
}
