import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs, temporaryFolder } from '@parley/testkit';
import { parseAllDocuments } from 'yaml';
import { chartWithNotes, helm, valueSets, type Manifest } from './chart.js';

type Deployment = Manifest & { spec: { replicas?: number } };

const kinds: Readonly<Record<string, readonly string[]>> = {
  v1: ['ConfigMap', 'Pod', 'Secret', 'Service', 'ServiceAccount'],
  'apps/v1': ['Deployment'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['Job'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
};

/** What Helm asks an API server before `lookup`, and Helm 4 before anything else. */
const answers = new Map<string, object>([
  ['/version', { major: '1', minor: '34', gitVersion: 'v1.34.0' }],
  ['/api', { kind: 'APIVersions', versions: ['v1'] }],
  ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() }],
  ...Object.entries(kinds).map(([groupVersion, names]): [string, object] => [
    `${groupVersion === 'v1' ? '/api' : '/apis'}/${groupVersion}`,
    { kind: 'APIResourceList', groupVersion, resources: names.map(resource) },
  ]),
]);

function groups(): object[] {
  return Object.keys(kinds)
    .filter((groupVersion) => groupVersion !== 'v1')
    .map((groupVersion) => {
      const [name, version] = groupVersion.split('/');
      const preferredVersion = { groupVersion, version };
      return { name, versions: [preferredVersion], preferredVersion };
    });
}

function resource(kind: string): object {
  const name = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies').replace(/sss$/, 'sses');
  return { name, namespaced: true, kind, verbs: ['get'] };
}

describe('autoscaling of the gateways', function () {
  this.timeout(60_000);
  needs('helm');
  let server: Server;
  let kubeconfig: string;
  let chart: string;
  let live: object | undefined;

  before(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://api');
      const isGateway = pathname.endsWith('/deployments/parley-realtime-gateway');
      const answer = isGateway ? live : answers.get(pathname);
      const absent = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };
      response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer ?? absent));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    chart = await chartWithNotes();
    const { port } = server.address() as AddressInfo;
    kubeconfig = join(await temporaryFolder(), 'config');
    const cluster = { name: 'test', cluster: { server: `http://127.0.0.1:${port}` } };
    const context = { name: 'test', context: { cluster: 'test' } };
    const config = { clusters: [cluster], contexts: [context], 'current-context': 'test' };
    await writeFile(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }));
  });
  after(() => server.close());

  type Upgraded = Deployment & { notes: string };
  type Rendered = Deployment & { data?: { notes?: string } };
  const upgraded = async (autoscaling: boolean): Promise<Upgraded> => {
    const { file } = valueSets.find(({ name }) => name === 'trial')!;
    const { code, stdout, stderr } = await helm([
      ...['template', 'parley', chart, '--namespace', 'voice', '--values', file],
      ...[
        '--dry-run=server',
        '--disable-openapi-validation',
        '--kubeconfig',
        kubeconfig,
        '--kube-version',
        '1.34.0',
      ],
      ...['--set', `realtimeGateway.autoscaling.enabled=${autoscaling}`],
    ]);
    expect(code, stderr).to.equal(0);
    const all = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
    const notes = all.find(({ metadata }) => metadata.name === 'notes')!.data!.notes!;
    const gateway = all.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'parley-realtime-gateway',
    )!;
    return { ...gateway, notes };
  };
  /** As Helm has installed it; with who set which fields, if the server applied it. */
  const runningAs = (
    { metadata, spec }: Deployment,
    replicas: number,
    managedFields?: readonly object[],
  ) => {
    const annotations = {
      ...metadata.annotations,
      'meta.helm.sh/release-name': 'parley',
      'meta.helm.sh/release-namespace': 'voice',
    };
    const installed = {
      metadata: { ...metadata, annotations, managedFields },
      spec: { ...spec, replicas },
    };
    live = { apiVersion: 'apps/v1', kind: 'Deployment', ...installed };
  };

  it('leaves the number of pods to the autoscaler, from the first install on', async () => {
    live = undefined;
    const first = await upgraded(true);
    expect(first.spec).to.not.have.property('replicas');
    runningAs(first, 12);
    expect((await upgraded(true)).spec).to.not.have.property('replicas');
  });

  it('takes no pod away when it is turned on', async () => {
    live = undefined;
    const before = await upgraded(false);
    expect(before.spec.replicas).to.equal(3);
    runningAs(before, 5);
    const on = await upgraded(true);
    expect(on.spec.replicas).to.equal(5);
    runningAs(on, 9);
    expect((await upgraded(true)).spec.replicas).to.equal(9);
    expect((await upgraded(false)).spec.replicas).to.equal(3);
  });

  describe('a number that the autoscaler has changed', () => {
    const fieldsV1 = {
      'f:metadata': { 'f:annotations': { 'f:parley/replicas': {} } },
      'f:spec': { 'f:template': {} },
    };
    const byServer = { manager: 'helm', operation: 'Apply', fieldsV1 };
    const byClient = { manager: 'helm', operation: 'Update', fieldsV1 };
    const scaled = { 'f:spec': { 'f:replicas': {} } };
    const autoscaler = {
      ...{ manager: 'kube-controller-manager', operation: 'Update', subresource: 'scale' },
      fieldsV1: scaled,
    };
    const elsewhere = {
      ...{ manager: 'somebody', operation: 'Apply' },
      fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:example.com/seen': {} } } },
    };
    let before: Upgraded;

    beforeEach(async () => {
      live = undefined;
      before = await upgraded(false);
    });

    it('is its own from then on, where the server applies', async () => {
      runningAs(before, 5, [byServer, autoscaler]);
      const next = await upgraded(true);
      expect(next.spec).to.not.have.property('replicas');
      expect(next.metadata.annotations ?? {}).to.not.have.property('parley/replicas');
      expect(next.notes).to.not.include('rollback');
    });

    it('is kept where nobody but Helm has set one', async () => {
      const named = { ...fieldsV1, 'f:spec': { 'f:replicas': {} } };
      runningAs(before, 3, [{ ...byServer, fieldsV1: named }]);
      expect((await upgraded(true)).spec.replicas).to.equal(3);
    });

    it('is kept where the client merges, which would reset it', async () => {
      runningAs(before, 5, [byClient, elsewhere, autoscaler]);
      expect((await upgraded(true)).spec.replicas).to.equal(5);
    });
  });

  it('says that a rollback would set a number of pods, if a revision has one', async () => {
    live = undefined;
    const before = await upgraded(false);
    expect(before.notes).to.not.include('rollback');
    expect((await upgraded(true)).notes).to.not.include('rollback');
    runningAs(before, 5);
    expect((await upgraded(true)).notes)
      .to.include('this revision contains its 5 pods')
      .and.include('Do not use helm rollback');
  });
});
