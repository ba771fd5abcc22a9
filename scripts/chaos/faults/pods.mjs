// Processes of the cluster that die or stop for a while.
import { between } from './timing.mjs';

/** A connection that ends without a close frame. */
const cut = 1006;

export const pods = {
  'gateway killed': {
    what: 'kill -9 of a gateway; another continues its resumable sessions',
    quick: true,
    leavesRows: true,
    seconds: 3,
    start: ({ stage, random }) => killed(stage, random.pick(stage.cluster.gateways)),
    lost: ({ resumable }, { owner, victim }) =>
      owner === victim && !resumable ? [cut] : undefined,
  },
  'api killed': {
    what: 'kill -9 of an api; writes are repeated under their keys',
    seconds: 3,
    start: ({ stage, random }) => killed(stage, random.pick(stage.cluster.apis)),
  },
  'worker killed': {
    what: 'kill -9 of a worker; the other one does its work',
    seconds: 3,
    start: ({ stage, random }) => killed(stage, random.pick(stage.cluster.workers)),
  },
  'load balancer killed': {
    what: 'kill -9 of HAProxy: every connection is cut, and resumable sessions lose nothing',
    seconds: 2,
    start: ({ stage: { cluster } }) => cluster.balancer.restart(),
    lost: ({ resumable }) => (resumable ? undefined : [cut]),
  },
  'everything killed': {
    what: 'kill -9 of every api, gateway and worker at once',
    leavesRows: true,
    seconds: 3,
    async start({ stage }) {
      await Promise.all(stage.cluster.pods.map((pod) => stage.kill(pod)));
    },
    lost: ({ resumable }) => (resumable ? undefined : [cut]),
  },
  'gateway paused': {
    what: 'SIGSTOP of a gateway for 5 s, shorter than anybody waits',
    seconds: 5,
    start: ({ stage, random }) => paused(random.pick(stage.cluster.gateways)),
  },
  'gateway hung': {
    what: 'SIGSTOP of a gateway for 60 s: its sessions are given up, and it may not revive them',
    leavesRows: true,
    seconds: 60,
    start: ({ stage, random }) => paused(random.pick(stage.cluster.gateways)),
    lost: ({ resumable }, { owner, victim }) =>
      owner === victim ? (resumable ? ['none', cut, 4412] : [cut, 4412, 1011]) : undefined,
  },
};

async function killed(stage, victim) {
  await stage.kill(victim);
  return { victim };
}

async function paused(victim) {
  return between(
    () => victim.signal('SIGSTOP'),
    () => victim.signal('SIGCONT'),
    { victim },
  );
}
