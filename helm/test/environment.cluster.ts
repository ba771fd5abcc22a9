import { expect } from 'chai';
import { examinerLimits } from '@parley/file-store';
import { readConfig, settings, type AppName, type Setting } from '@parley/service-kit';
import { needs } from '@parley/testkit';
import { manifests, valueSets, type Manifest } from './chart.js';

type Container = {
  env: { name: string; value?: string }[];
  resources: { limits: { memory: string } };
  volumeMounts: { name: string; mountPath: string }[];
};
type Pod = { containers: [Container]; volumes: { name: string; [source: string]: unknown }[] };
type App = { app: AppName; container: Container; env: Record<string, string> };

const rows: [string, Setting][] = Object.entries(settings);

describe('the environment of the apps', () => {
  needs('helm');

  for (const { name, file, kubeVersion } of valueSets)
    describe(`with ${name}`, () => {
      let apps: App[];
      before(async () => void (apps = appsOf(await manifests({ files: [file], kubeVersion }))));

      it('lets each app start', () => {
        expect(apps.map(({ app }) => app)).to.include.members([
          'api',
          'realtime-gateway',
          'worker',
        ]);
        for (const { app, env } of apps)
          expect(readConfig(app, env), app).to.deep.include({ ok: true, warnings: [] });
      });

      it('gives a setting to all who read it', () => {
        const given = new Set(apps.flatMap(({ env }) => Object.keys(env)));
        for (const { app, env } of apps) {
          const read = rows.filter(
            ([setting, row]) => given.has(setting) && row.apps.includes(app),
          );
          expect(Object.keys(env), app).to.include.members(read.map(([setting]) => setting));
        }
      });

      it('leaves the api memory to read files beside its heap', () => {
        const { container, env } = apps.find(({ app }) => app === 'api')!;
        const limit = Number(/^(\d+)Mi$/.exec(container.resources.limits.memory)![1]);
        const heap = Number(/^--max-old-space-size=(\d+)$/.exec(env['NODE_OPTIONS']!)![1]);
        const { maxRunning, maxResidentBytes } = examinerLimits;
        expect(limit - heap - (maxRunning * maxResidentBytes) / 2 ** 20).to.be.at.least(64);
      });
    });
});

describe('the simulator', () => {
  needs('helm');
  const files = [valueSets.find(({ name }) => name === 'trial')!.file];
  const keysOf = async (provider: object) =>
    appsOf(await manifests({ files, values: { provider } })).flatMap(({ env }) =>
      env['PROVIDER_KIND'] === 'simulator' ? [env['PROVIDER_API_KEY']] : [],
    );

  it('is sent a key, which it asks for as any provider does', async () => {
    expect(await keysOf({})).to.deep.equal(['simulator', 'simulator', 'simulator']);
  });

  it('is sent the key of the values, if there is one', async () => {
    const fromSecret = standIn('PROVIDER_API_KEY');
    expect(await keysOf({ apiKey: 'mine' })).to.deep.equal([fromSecret, fromSecret, fromSecret]);
  });
});

describe('a private CA', function () {
  this.timeout(60_000);
  needs('helm');

  for (const [source, named] of [
    ['existingSecret', { secret: { secretName: 'internal' } }],
    ['existingConfigMap', { configMap: { name: 'internal' } }],
  ] as const)
    it(`of ${source} is where Node looks for it, in every pod that opens connections`, async () => {
      const files = [valueSets.find(({ name }) => name === 'trial')!.file];
      const values = { caBundle: { [source]: 'internal', key: 'root.pem' } };
      const pods = (await manifests({ files, values }))
        .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
        .map(({ spec }) => (spec['template'] as { spec: Pod }).spec);
      expect(pods).to.have.length(5);
      for (const { containers, volumes } of pods) {
        const [{ env, volumeMounts }] = containers;
        const volume = volumes.find(({ name }) => name === 'ca');
        const mount = volumeMounts.find(({ name }) => name === 'ca');
        expect(volume).to.deep.equal({ name: 'ca', ...named });
        expect(env).to.deep.include({
          name: 'NODE_EXTRA_CA_CERTS',
          value: `${mount?.mountPath}/root.pem`,
        });
      }
    });
});

/** The Deployments, with something of the right shape for what comes from a Secret. */
function appsOf(all: Manifest[]): App[] {
  const shared = all.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-settings'),
  ) as Manifest & { data?: Record<string, string> };
  return all
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => {
      const app = metadata.labels['app.kubernetes.io/component'] as AppName;
      const { containers } = (spec['template'] as { spec: Pod }).spec;
      const [container] = containers;
      const own = container.env.map(({ name, value }) => [name, value ?? standIn(name)]);
      const env = { ...shared.data, ...(Object.fromEntries(own) as Record<string, string>) };
      return { app, container, env };
    });
}

function standIn(name: string): string {
  const row = rows.find(([setting]) => setting === name)?.[1];
  if (row?.kind === 'url') return `${row.schemes[0]}://host`;
  if (name.startsWith('SECRETS_KEY')) return Buffer.alloc(32).toString('base64');
  return 'a-secret-that-is-long-enough';
}
