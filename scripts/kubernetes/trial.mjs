// What the scenarios do with the release: installing it and changing it as the operations page says,
// and using it meanwhile.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { parse, stringify } from 'yaml';
import { waitUntil } from './kube.mjs';

const here = import.meta.dirname;
const chart = join(here, '../../helm/parley');
const loadPod = 'load';
const arrivalMs = 120_000;
const resultMs = 240_000;

export class Trial {
  #kube;
  #values;
  #size;

  constructor({ kube, images, tag, size }) {
    this.#kube = kube;
    this.#size = size;
    const values = parse(readFileSync(join(here, 'values.yaml'), 'utf8'));
    this.#values = { ...values, image: { registry: images, tag } };
    kube.image = `${images}/${values.realtimeGateway.image?.repository ?? 'parley-realtime-gateway'}:${tag}`;
  }

  /** The programs that run in the cluster, and the pod in which the load does. */
  async prepare() {
    const bundle = await rolldown({
      input: join(here, 'load.mjs'),
      platform: 'node',
      external: ['bufferutil', 'utf-8-validate'],
    });
    const { output } = await bundle.generate({ format: 'esm' });
    const programs = {
      'load.mjs': output[0].code,
      'signal.mjs': readFileSync(join(here, 'signal.mjs'), 'utf8'),
    };
    const configMap = (namespace) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', data: programs },
      metadata: { name: 'programs', namespace },
    });
    const { namespace, stage } = this.#kube;
    const input = (object) => ({
      namespace: object.metadata.namespace,
      input: JSON.stringify(object),
    });
    for (const each of [configMap(namespace), configMap(stage), this.#loadPod()])
      await this.#kube.kubectl(['create', '--filename', '-'], input(each));
    const ready = ['wait', '--for=condition=Ready', `pod/${loadPod}`, '--timeout=120s'];
    await this.#kube.kubectl(ready, { timeoutMs: 130_000 });
  }

  async install() {
    const { release } = this.#kube;
    await this.#apply('install', release, this.#values);
    const restarted = (await this.#kube.pods()).filter(({ restarts }) => restarts > 0);
    if (restarted.length > 0) throw new Error(`${restarted[0].name} was restarted`);
  }

  /** With these values in addition to those that it was installed with. */
  upgrade(changes) {
    return this.#apply('upgrade', this.#kube.release, merged(this.#values, changes));
  }

  /** To the revision with this index in the history: -2 is the one before the current one. */
  async rollback(index) {
    const { release } = this.#kube;
    const target = await this.#revision(index);
    await this.#kube.helm(['rollback', release, target, '--wait', '--timeout', '5m']);
  }

  /** To the values of the revision before, as the operations page says where pods are autoscaled. */
  async goBack() {
    const { release } = this.#kube;
    const args = ['--revision', await this.#revision(-2), '--output', 'json'];
    const values = await this.#kube.helm(['get', 'values', release, ...args]);
    await this.#apply('upgrade', release, JSON.parse(values));
  }

  async uninstall() {
    const kube = this.#kube;
    await kube.helm(['uninstall', kube.release, '--wait', '--timeout', '5m']);
    // Pods go after their Deployments, for which alone Helm waits.
    let left = [];
    const isClean = async () => (left = await this.#leftovers()).length === 0;
    await waitUntil('what the chart installed to go', isClean).catch((error) => {
      throw new Error(`${error.message}, left behind: ${left.join(', ')}`, { cause: error });
    });
  }

  /** Begins to use the release. Resolves when every session is open. */
  async load(progress) {
    const program = this.#kube.exec(loadPod, ['/usr/local/bin/node', '/programs/load.mjs']);
    const heard = { arrived: deferred(), result: deferred() };
    program.lines.on('line', (line) => {
      const message = JSON.parse(line);
      if (message.kind === 'progress') progress(message.text);
      else heard[message.kind].resolve(message);
    });
    program.lines.on('close', () => {
      for (const each of Object.values(heard)) each.reject(new Error('the load ended by itself'));
    });
    const { release } = this.#kube;
    const credentials = await this.#credentials();
    const urls = {
      apiUrl: `http://${release}-api`,
      realtimeUrl: `http://${release}-realtime-gateway`,
    };
    program.say(JSON.stringify({ ...urls, ...credentials, ...this.#size }));
    const { refused } = await within(heard.arrived.promise, arrivalMs, 'the sessions to open');
    if (refused.length > 0)
      throw new Error(`refused before anything failed: ${refused.join(', ')}`);
    const began = Date.now();
    return {
      elapsed: () => Date.now() - began,
      stop() {
        program.say('end');
        return within(heard.result.promise, resultMs, 'the result of the load');
      },
      abort: () => program.end(),
    };
  }

  /** What is still there, is not about to end, and is not named by the operations page. */
  async #leftovers() {
    const kube = this.#kube;
    const kinds =
      'deployment,replicaset,service,configmap,secret,serviceaccount,networkpolicy,pdb,hpa,job,pod';
    const selector = `app.kubernetes.io/instance=${kube.release}`;
    const { items } = await kube.get([kinds, '--selector', selector]);
    return items
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)
      .filter((name) => !documentedLeftovers.has(name.replace(`/${kube.release}-`, '/')));
  }

  async #apply(verb, release, values) {
    const file = ['--values', '-'];
    const args = [verb, release, chart, ...file, '--wait', '--timeout', '5m'];
    await this.#kube.helm(args, { input: stringify(values) });
  }

  async #revision(index) {
    const args = ['history', this.#kube.release, '--output', 'json'];
    return String(JSON.parse(await this.#kube.helm(args)).at(index).revision);
  }

  async #credentials() {
    const { organizationId, existingSecret } = this.#values.bootstrap;
    const { data } = await this.#kube.get(['secret', existingSecret]);
    const apiKey = Buffer.from(data['bootstrap-api-key'], 'base64').toString();
    return { organizationId, apiKey };
  }

  /** On the same terms as the release: restricted. */
  #loadPod() {
    return {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { name: loadPod, namespace: this.#kube.namespace },
      spec: {
        ...{ automountServiceAccountToken: false, terminationGracePeriodSeconds: 1 },
        securityContext: {
          ...{ runAsNonRoot: true, runAsUser: 65532 },
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            ...{ name: loadPod, image: this.#kube.image, imagePullPolicy: 'IfNotPresent' },
            command: ['/usr/local/bin/node', '--eval', 'setInterval(() => {}, 1e6)'],
            resources: { requests: { cpu: '50m', memory: '128Mi' } },
            securityContext: {
              ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
              capabilities: { drop: ['ALL'] },
            },
            volumeMounts: [{ name: 'programs', mountPath: '/programs' }],
          },
        ],
        volumes: [{ name: 'programs', configMap: { name: 'programs' } }],
      },
    };
  }
}

/** Helm does not remove hooks; the operations page says so. */
const documentedLeftovers = new Set(['pod/session-test', 'job/migration']);

function merged(values, changes) {
  const result = { ...values };
  for (const [key, value] of Object.entries(changes))
    result[key] =
      Object(value) === value && !Array.isArray(value) ? merged(Object(values[key]), value) : value;
  return result;
}

function deferred() {
  const settle = {};
  const promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
  promise.catch(() => {});
  return { promise, ...settle };
}

async function within(promise, milliseconds, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`waited ${milliseconds / 1000} s for ${what}`)),
      milliseconds,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
