import { expect } from 'chai';
import { drainBudget, settings } from '@parley/service-kit';
import { lostAfterMs } from '@parley/session-store';
import { needs } from '@parley/testkit';
import { manifests, render, valueSets, type Manifest } from './chart.js';
import { manifestChecker } from './kubernetes-schemas.js';

type Probe = {
  httpGet: { path: string; port: string };
  timeoutSeconds: number;
  periodSeconds: number;
  failureThreshold: number;
  terminationGracePeriodSeconds?: number;
};
type Container = {
  name: string;
  image: string;
  env?: { name: string; value?: string }[];
  securityContext: Record<string, unknown>;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
};
type PodSpec = {
  containers: Container[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds?: number;
};

/** What the kubelet grants after a preStop that took all the time. */
const leastGraceSeconds = 2;

describe('the manifests', () => {
  needs('helm');
  const rendered = new Map<string, Manifest[]>();

  before(async () => {
    for (const { name, file, kubeVersion } of valueSets)
      rendered.set(name, await manifests({ files: [file], kubeVersion }));
  });

  for (const seconds of [undefined, 600])
    it(`let a pod wait for its stores (STORE_WAIT_SECONDS: ${seconds})`, async () => {
      const { file } = valueSets.find(({ name }) => name === 'production')!;
      const values = { settings: { STORE_WAIT_SECONDS: seconds } };
      for (const deployment of deployments(await manifests({ files: [file], values }))) {
        const [{ startupProbe }] = podOf(deployment)!.containers as [Container];
        const { periodSeconds, failureThreshold } = startupProbe!;
        expect(periodSeconds * failureThreshold).to.be.above(
          seconds ?? settings.STORE_WAIT_SECONDS.default,
        );
      }
    });

  it('let a pod wait for an api that migrates, without the Job', async () => {
    const { file } = valueSets.find(({ name }) => name === 'production')!;
    const migration = { enabled: false, activeDeadlineSeconds: 900 };
    const seconds = settings.STORE_WAIT_SECONDS.default + 900;
    for (const deployment of deployments(
      await manifests({ files: [file], values: { migration } }),
    )) {
      const [{ env, startupProbe }] = podOf(deployment)!.containers as [Container];
      const waited = env!.find(({ name }) => name === 'STORE_WAIT_SECONDS');
      expect(waited).to.deep.include({ value: String(seconds) });
      const started = startupProbe!.periodSeconds * startupProbe!.failureThreshold;
      expect(started).to.be.above(seconds);
      expect((deployment.spec as Record<string, number>)['progressDeadlineSeconds']).to.be.above(
        started,
      );
    }
  });

  describe('as the API server sees them', () => {
    needs('kubernetes-schemas');
    let problemsOf: ReturnType<typeof manifestChecker>;
    before(() => void (problemsOf = manifestChecker()));

    it('would be refused with a field that Kubernetes does not know', () => {
      const manifest = structuredClone(deployments(rendered.get('trial')!)[0]!);
      podOf(manifest)!.containers[0]!.lifecycle = { preStop: { slep: {} } } as never;
      expect(problemsOf(manifest)).to.have.length(1);
    });

    for (const { name } of valueSets)
      it(`are valid with ${name}`, () => {
        const all = rendered.get(name)!;
        expect(all.length).to.be.greaterThan(10);
        expect(all.flatMap(problemsOf)).to.deep.equal([]);
      });
  });

  for (const { name } of valueSets)
    describe(`of ${name}`, () => {
      it('have names that are unique per kind', () => {
        const names = rendered.get(name)!.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
        expect(new Set(names).size).to.equal(names.length);
      });

      it('keep to the restricted pod security standard', () => {
        for (const pod of pods(rendered.get(name)!)) {
          expect(pod).to.deep.include({
            automountServiceAccountToken: false,
            enableServiceLinks: false,
          });
          expect(pod.securityContext).to.deep.include({
            runAsNonRoot: true,
            runAsUser: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          });
          for (const { securityContext, resources } of pod.containers) {
            expect(securityContext).to.deep.equal({
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            });
            expect(resources.requests).to.have.all.keys('cpu', 'memory');
            expect(resources.limits).to.have.property('memory');
          }
        }
      });

      it('ask for life and for readiness at different paths of the internal port', () => {
        for (const deployment of deployments(rendered.get(name)!)) {
          const [{ startupProbe, livenessProbe, readinessProbe }] = podOf(deployment)!
            .containers as [Container];
          expect(livenessProbe?.httpGet).to.deep.equal({ path: '/livez', port: 'internal' });
          for (const probe of [startupProbe, readinessProbe])
            expect(probe?.httpGet).to.deep.equal({ path: '/readyz', port: 'internal' });
          for (const probe of [startupProbe, livenessProbe, readinessProbe])
            expect(probe?.timeoutSeconds).to.be.at.least(3);
        }
      });

      it('give a pod the time that its goodbye takes', () => {
        for (const deployment of deployments(rendered.get(name)!)) {
          const pod = podOf(deployment)!;
          const [container] = pod.containers as [Container];
          const preStop = container.lifecycle?.preStop.sleep.seconds ?? 0;
          const seconds = (setting: string) =>
            Number(container.env?.find((each) => each.name === setting)?.value ?? 0);
          const { totalMs } = drainBudget({
            DRAIN_LAG_SECONDS: seconds('DRAIN_LAG_SECONDS'),
            DRAIN_TIMEOUT_SECONDS: seconds('DRAIN_TIMEOUT_SECONDS'),
          });
          expect(pod.terminationGracePeriodSeconds).to.be.at.least(preStop + totalMs / 1000);
        }
      });

      it('kill a pod that hangs while its resumable sessions can still continue elsewhere', () => {
        // Its last heartbeat was up to 5 s before.
        const givenUpSeconds =
          lostAfterMs / 1000 - 5 + settings.REALTIME_RESUME_GRACE_SECONDS.default;
        for (const deployment of deployments(rendered.get(name)!)) {
          const [{ livenessProbe }] = podOf(deployment)!.containers as [Container];
          const { periodSeconds, timeoutSeconds, failureThreshold, ...rest } = livenessProbe!;
          const noticed = periodSeconds * failureThreshold + timeoutSeconds;
          const killed = noticed + rest.terminationGracePeriodSeconds! + leastGraceSeconds;
          expect(killed).to.be.below(givenUpSeconds - 10);
        }
      });

      it('never take a pod away before another is ready', () => {
        for (const { spec } of deployments(rendered.get(name)!))
          expect(spec['strategy']).to.deep.equal({
            type: 'RollingUpdate',
            rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
          });
      });

      it('let every network policy select pods that there are', () => {
        const labels = rendered.get(name)!.flatMap((manifest) => {
          if (manifest.kind === 'Pod') return [manifest.metadata.labels];
          if (!podOf(manifest)) return [];
          const { metadata } = manifest.spec['template'] as Pick<Manifest, 'metadata'>;
          return [metadata.labels];
        });
        const selectsNone = ({ spec }: Manifest) => {
          const { matchLabels } = spec['podSelector'] as { matchLabels: Record<string, string> };
          const isSelected = (each: Record<string, string>) =>
            Object.entries(matchLabels).every(([key, value]) => each[key] === value);
          return !labels.some(isSelected);
        };
        const policies = rendered.get(name)!.filter(({ kind }) => kind === 'NetworkPolicy');
        expect(policies.filter(selectsNone).map(({ metadata }) => metadata.name)).to.deep.equal([]);
      });
    });

  it('count the lag of an old kubelet as the process’s own', () => {
    const gateway = deployments(rendered.get('old-cluster')!).find(({ metadata }) =>
      metadata.name.endsWith('realtime-gateway'),
    );
    const [container] = podOf(gateway!)!.containers as [Container];
    expect(container).to.not.have.property('lifecycle');
    expect(container.env).to.deep.include({ name: 'DRAIN_LAG_SECONDS', value: '15' });
    expect(podOf(gateway!)!.terminationGracePeriodSeconds).to.equal(150);
  });

  it('leave the number of pods to the autoscaler', () => {
    const scaled = deployments(rendered.get('production')!).filter(
      ({ spec }) => !('replicas' in spec),
    );
    expect(scaled.map(({ metadata }) => metadata.name)).to.have.members([
      'parley-api',
      'parley-realtime-gateway',
    ]);
  });

  it('write settings as the apps read them', () => {
    const map = rendered
      .get('production')!
      .find(({ metadata }) => metadata.name === 'parley-settings') as unknown as {
      data: Record<string, string>;
    };
    expect(map.data).to.deep.equal({
      CONVERSATION_RETENTION_DAYS: '90',
      MAX_BODY_BYTES: '10485760',
      PUBLIC_URL: 'https://parley.example.com',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'parley',
      OIDC_ALLOWED_DOMAINS: 'example.com',
      CONSOLE_FRAME_ANCESTORS: 'https://intranet.example.com',
      OPENAI_DOOR: 'true',
      REALTIME_ALLOWED_ORIGINS: 'https://app.example.com,https://www.example.com',
      REALTIME_MAX_SESSIONS: '1000',
      REALTIME_REDACT_SESSION_ECHO: 'true',
      TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7',
    });
  });

  it('lead the WebSockets of OpenAI’s clients to the gateways where these are let in', async () => {
    const sets = new Map(valueSets.map(({ name, file }) => [name, file]));
    const pathsOf = async (name: string, door: boolean) => {
      const values = { settings: { OPENAI_DOOR: door } };
      const all = await manifests({ files: [sets.get(name)!], values });
      const routes = all.filter(({ kind }) => kind === 'HTTPRoute' || kind === 'Ingress');
      return [...JSON.stringify(routes).matchAll(/"(\/v1\/[^"]*)"/g)].map(([, path]) => path);
    };
    expect(await pathsOf('production', true)).to.deep.equal(['/v1/realtime']);
    expect(await pathsOf('sentinel-tls', true)).to.deep.equal(['/v1/realtime$']);
    expect(await pathsOf('cluster-haproxy', true)).to.deep.equal(['/v1/realtime$']);
    expect(await pathsOf('alb-keda', true)).to.deep.equal(['/v1/realtime']);
    for (const name of sets.keys()) expect(await pathsOf(name, false), name).to.deep.equal([]);
  });

  it('write the paths of another ingress controller as given, and the others literally', async () => {
    const { file } = valueSets.find(({ name }) => name === 'alb-keda')!;
    const ingress = { controller: 'other', realtimePath: '/api/v1/Agent/:agent/realtime' };
    const all = await manifests({ files: [file], values: { ingress } });
    const { spec } = all.find(({ kind }) => kind === 'Ingress')!;
    const [rule] = spec['rules'] as [{ http: { paths: { path: string; pathType: string }[] } }];
    expect(rule.http.paths.map(({ path, pathType }) => [path, pathType])).to.deep.equal([
      ['/api/v1/Agent/:agent/realtime', 'ImplementationSpecific'],
      ['/v1/realtime', 'Exact'],
      ['/', 'Prefix'],
    ]);
  });

  it('let the largest file through an ingress, and an answer come as it is made', async () => {
    const { file } = valueSets.find(({ name }) => name === 'sentinel-tls')!;
    const values = { settings: { TEMPORARY_FILE_MAX_BYTES: 104_857_600 } };
    const ingress = (await manifests({ files: [file], values })).find(
      ({ kind }) => kind === 'Ingress',
    );
    expect(ingress?.metadata.annotations).to.include({
      'nginx.ingress.kubernetes.io/proxy-body-size': '102m',
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '1900',
    });
  });

  for (const [drains, seconds] of [
    [{}, 140],
    [{ api: { timeoutSeconds: 300 } }, 320],
    [{ realtimeGateway: { preStopSeconds: 20, lagSeconds: 7, timeoutSeconds: 1000 } }, 1032],
    [{ realtimeGateway: { timeoutSeconds: 3600 } }, 3600],
  ] as const)
    it(`let a load balancer of AWS wait ${seconds} s for ${JSON.stringify(drains)}`, async () => {
      const { file } = valueSets.find(({ name }) => name === 'alb-keda')!;
      const values = Object.fromEntries(
        Object.entries(drains).map(([app, drain]) => [app, { drain }]),
      );
      for (const kubeVersion of ['1.27.0', '1.34.0']) {
        const ingress = (await manifests({ files: [file], values, kubeVersion })).find(
          ({ kind }) => kind === 'Ingress',
        );
        expect(ingress?.metadata.annotations).to.include({
          'alb.ingress.kubernetes.io/target-group-attributes': `deregistration_delay.timeout_seconds=${seconds}`,
        });
      }
    });

  it('have names that Kubernetes takes, however long the release’s is', async () => {
    const { file } = valueSets.find(({ name }) => name === 'trial')!;
    const values = { fullnameOverride: `${'long-'.repeat(12)}end` };
    for (const { metadata } of await manifests({ files: [file], values }))
      expect(metadata.name).to.match(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
  });

  it('write large numbers without an exponent', async () => {
    const seconds = 2_000_000;
    const drain = { preStopSeconds: seconds, lagSeconds: seconds, timeoutSeconds: seconds };
    for (const type of ['hpa', 'keda']) {
      const autoscaling = {
        enabled: true,
        type,
        sessions: 900_000,
        keda: { serverAddress: 'http://p' },
      };
      const values = {
        migration: { activeDeadlineSeconds: seconds },
        settings: { REALTIME_MAX_SESSIONS: 1_000_000, REALTIME_MAX_SESSION_SECONDS: seconds },
        realtimeGateway: { autoscaling, drain },
        ingress: { enabled: true, host: 'parley.example.com' },
      };
      const { file } = valueSets.find(({ name }) => name === 'trial')!;
      const large = await render({ files: [file], values });
      expect(large).to.have.property('text').that.includes('6000015');
      expect(large)
        .to.have.property('text')
        .that.does.not.match(/\de\+\d/);
    }
  });

  it('keep no secret of their own where every secret exists', () => {
    expect(rendered.get('production')!.map(({ kind }) => kind)).to.not.include('Secret');
  });
});

function deployments(all: Manifest[]): Manifest[] {
  return all.filter(({ kind }) => kind === 'Deployment');
}

function pods(all: Manifest[]): PodSpec[] {
  return all.map(podOf).filter((pod) => pod !== undefined);
}

function podOf({ kind, spec }: Manifest): PodSpec | undefined {
  if (kind === 'Pod') return spec as unknown as PodSpec;
  if (kind !== 'Deployment' && kind !== 'Job') return undefined;
  return (spec['template'] as { spec: PodSpec }).spec;
}
