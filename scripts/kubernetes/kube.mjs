// The cluster as the scenarios see it, through kubectl and helm.
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const commandMs = 60_000;
/** The pod that sends signals. */
const hands = 'hands';
const component = 'app.kubernetes.io/component';

export class Kube {
  constructor({ namespace, stage, release }) {
    Object.assign(this, { namespace, stage, release });
  }

  /** What kubectl prints. Rejects with what it complains about. */
  kubectl(args, { namespace = this.namespace, input, timeoutMs = commandMs } = {}) {
    return command('kubectl', ['--namespace', namespace, ...args], { input, timeoutMs });
  }

  helm(args, { input, timeoutMs = 10 * commandMs } = {}) {
    return command('helm', ['--namespace', this.namespace, ...args], { input, timeoutMs });
  }

  async get(args, options) {
    return JSON.parse(await this.kubectl(['get', ...args, '--output', 'json'], options));
  }

  /** The pods of one Deployment, or of all, that are not about to end. */
  async pods(app) {
    const wanted = app ? [app] : deployments;
    const { items } = await this.get([
      ...['pods', '--selector'],
      `app.kubernetes.io/instance=${this.release},${component} in (${wanted.join(', ')})`,
    ]);
    return items.filter(({ metadata }) => !metadata.deletionTimestamp).map(podOf);
  }

  async replicas(app) {
    const { spec } = await this.get(['deployment', this.name(app)]);
    return spec.replicas;
  }

  name(app) {
    return `${this.release}-${app}`;
  }

  /** Replaces the pods of an app. Resolves when the last of the old ones is gone. */
  async restart(app) {
    const old = await this.pods(app);
    await this.kubectl(['rollout', 'restart', `deployment/${this.name(app)}`]);
    await this.rolledOut(app);
    await this.gone(old);
  }

  rolledOut(app) {
    const args = ['rollout', 'status', `deployment/${this.name(app)}`, '--timeout=300s'];
    return this.kubectl(args, { timeoutMs: 310_000 });
  }

  gone(pods) {
    const names = pods.map(({ name }) => `pod/${name}`);
    return this.kubectl(['wait', '--for=delete', ...names, '--timeout=300s'], {
      timeoutMs: 310_000,
    });
  }

  /** Resolves when every Deployment has all its pods, ready and of the current version. */
  async settled() {
    for (const app of deployments) await this.rolledOut(app);
  }

  /** Takes a store away until the returned function brings it back. */
  async takeAway(store) {
    const scale = (replicas) =>
      this.kubectl(['scale', `statefulset/${store}`, `--replicas=${replicas}`], {
        namespace: this.stage,
      });
    await scale(0);
    await this.kubectl(['wait', '--for=delete', `pod/${store}-0`, '--timeout=60s'], {
      ...{ namespace: this.stage, timeoutMs: 70_000 },
    });
    return async () => {
      await scale(1);
      await this.kubectl(['rollout', 'status', `statefulset/${store}`, '--timeout=120s'], {
        ...{ namespace: this.stage, timeoutMs: 130_000 },
      });
    };
  }

  /** The address of the gateway of each live session, by conversation. */
  async owners() {
    const key = 'parley:{live}:sessions';
    const args = ['exec', 'redis-0', '--', 'redis-cli', '--raw', 'hvals', key];
    const text = await this.kubectl(args, { namespace: this.stage });
    const sessions = text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    return new Map(
      sessions.map(({ conversationId, address }) => [conversationId, address?.split(':')[0]]),
    );
  }

  /**
   * Sends a signal to all processes of a pod, from a pod on its node that sees the processes of the
   * node. A container cannot be stopped from within.
   */
  async signal(victim, signal) {
    const stage = { namespace: this.stage };
    const pod = this.#hands(victim, signal);
    await this.kubectl(['create', '--filename', '-'], { ...stage, input: JSON.stringify(pod) });
    await waitUntil(`${signal} to be sent`, async () => {
      const { status } = await this.get(['pod', hands], stage);
      if (status.phase === 'Failed')
        throw new Error(await this.kubectl(['logs', hands, '--tail=5'], stage));
      return status.phase === 'Succeeded';
    }).finally(() => this.kubectl(['delete', 'pod', hands], stage));
  }

  /** Why the cluster does not let us send signals; undefined if it does. */
  async noSignals() {
    const [victim] = await this.pods();
    const input = JSON.stringify(this.#hands(victim, 'SIGCONT'));
    return this.kubectl(['create', '--dry-run=server', '--filename', '-'], {
      ...{ namespace: this.stage, input },
    }).then(
      () => undefined,
      (error) => error.message,
    );
  }

  #hands({ node, container }, signal) {
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: hands },
      spec: {
        ...{ nodeName: node, hostPID: true, restartPolicy: 'Never' },
        ...{ automountServiceAccountToken: false, terminationGracePeriodSeconds: 0 },
        containers: [
          {
            ...{ name: hands, image: this.image, imagePullPolicy: 'IfNotPresent' },
            command: ['/usr/local/bin/node', '/programs/signal.mjs', container, signal],
            securityContext: { runAsUser: 0 },
            volumeMounts: [{ name: 'programs', mountPath: '/programs' }],
          },
        ],
        volumes: [{ name: 'programs', configMap: { name: 'programs' } }],
      },
    };
  }

  /** A program in a pod of this namespace: what it prints, line by line, and what it is told. */
  exec(pod, args) {
    const all = ['--namespace', this.namespace, 'exec', '--stdin', pod, '--', ...args];
    const child = spawn('kubectl', all, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    return {
      lines,
      say: (line) => child.stdin.write(`${line}\n`),
      end: () => child.kill(),
    };
  }
}

/** The apps of a release, in the order in which they depend on each other. */
export const deployments = ['provider-simulator', 'api', 'realtime-gateway', 'worker'];

/** Looks twice a second. */
export async function waitUntil(what, isTrue, { seconds = 60 } = {}) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await isTrue();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s for ${what}`);
    await delay(500);
  }
}

async function command(program, args, { input, timeoutMs }) {
  const running = run(program, args, { timeout: timeoutMs, maxBuffer: 64 * 2 ** 20 });
  running.child.stdin.end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const reason = error.killed ? `not done after ${timeoutMs / 1000} s` : error.stderr.trim();
    throw new Error(`${program} ${args.slice(2).join(' ')}: ${reason}`, { cause: error });
  }
}

function podOf({ metadata: { name, uid, labels }, spec, status }) {
  const [{ containerID, restartCount = 0 } = {}] = status.containerStatuses ?? [];
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return {
    ...{ name, uid, app: labels[component] },
    ...{ node: spec.nodeName, address: status.podIP },
    isReady: ready?.status === 'True',
    container: containerID?.replace(/^.*:\/\//, ''),
    restarts: restartCount,
  };
}
