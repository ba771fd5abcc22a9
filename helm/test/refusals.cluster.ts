import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { render, type Values } from './chart.js';
import { refusalsOfPeople, type Refusal } from './refusals-of-people.js';

const good: Values = {
  database: { existingSecret: 'database' },
  redis: { existingSecret: 'redis' },
  secretsKey: { existingSecret: 'key' },
  provider: { existingSecret: 'openai' },
};

const ownBootstrap = {
  organizationId: '7b6f4a52-0000-4000-8000-00000000abcd',
  apiKey: 'a-key-for-a-trial-only',
};

const refusals: Refusal[] = [
  ...refusalsOfPeople,
  [
    'no database',
    { database: { existingSecret: '' } },
    /database\.url or database\.existingSecret is required/,
  ],
  [
    'no Redis',
    { redis: { existingSecret: '' } },
    /redis\.url or redis\.existingSecret is required/,
  ],
  [
    'no secrets key',
    { secretsKey: { existingSecret: '' } },
    /secretsKey\.value or secretsKey\.existingSecret is required/,
  ],
  [
    'a secrets key that is not 32 bytes',
    { secretsKey: { value: 'c2hvcnQ=' } },
    /\/secretsKey\/value.*does not match pattern/s,
  ],
  [
    'a secrets key from two places',
    { secretsKey: { value: `${'A'.repeat(43)}=` } },
    /secretsKey: give the value or existingSecret, not both/,
  ],
  [
    'former secrets keys that are not 32 bytes',
    { secretsKey: { value: `${'A'.repeat(43)}=`, existingSecret: '', previous: 'c2hvcnQ=' } },
    /\/secretsKey\/previous.*does not match pattern/s,
  ],
  [
    'former secrets keys by value beside a Secret',
    { secretsKey: { previous: `${'A'.repeat(43)}=` } },
    /secretsKey\.previous needs secretsKey\.value; with existingSecret, name previousKey/,
  ],
  [
    'the name of former secrets keys without a Secret',
    { secretsKey: { value: `${'A'.repeat(43)}=`, existingSecret: '', previousKey: 'former' } },
    /secretsKey\.previousKey needs secretsKey\.existingSecret/,
  ],
  [
    'a Secret of the name that the chart’s own has',
    { database: { existingSecret: 'parley' }, bootstrap: ownBootstrap },
    /database\.existingSecret: parley is the name of the chart's own Secret/,
  ],
  [
    'a provider without a key',
    { provider: { existingSecret: '' } },
    /provider\.kind openai needs provider\.apiKey/,
  ],
  [
    'a provider without an address',
    { provider: { kind: 'azure-openai' } },
    /provider\.kind azure-openai needs provider\.baseUrl/,
  ],
  ['an unknown provider', { provider: { kind: 'oracle' } }, /\/provider\/kind.*must be one of/s],
  [
    'a simulator that does not run',
    { provider: { kind: 'simulator' } },
    /simulator\.enabled and provider\.kind simulator belong together/,
  ],
  [
    'a storage of files without a bucket',
    { fileStorage: { kind: 's3', existingSecret: 's3' } },
    /fileStorage\.kind s3 needs fileStorage\.bucket/,
  ],
  [
    'half a key of a bucket',
    { fileStorage: { bucket: 'files', accessKeyId: 'id' } },
    /fileStorage: accessKeyId and secretAccessKey belong together/,
  ],
  [
    'a key of a bucket from two places',
    { fileStorage: { bucket: 'files', existingSecret: 's3', secretAccessKey: 'x' } },
    /fileStorage: give accessKeyId and secretAccessKey or existingSecret, not both/,
  ],
  [
    'files in a place that does not exist',
    { fileStorage: { kind: 'disk' } },
    /\/fileStorage\/kind.*must be one of/s,
  ],
  [
    'an api without memory to read files',
    { api: { resources: { limits: { memory: '1Gi' } } } },
    /api: resources\.limits\.memory 1Gi is less than 1280Mi/,
  ],
  [
    'a URL beside a Secret, without a password',
    { redis: { url: 'redis://redis' } },
    /redis\.url and redis\.existingSecret together need redis\.passwordKey, and \$\(REDIS_PASSWORD\)/,
  ],
  [
    'a password without a URL',
    { database: { passwordKey: 'password' } },
    /database\.passwordKey needs database\.url/,
  ],
  [
    'a URL of another scheme',
    { redis: { url: 'http://redis' } },
    /\/redis\/url.*does not match pattern/s,
  ],
  [
    'sentinels without a primary',
    { redis: { mode: 'sentinel' } },
    /redis\.mode sentinel needs redis\.sentinelMaster/,
  ],
  [
    'a primary without sentinels',
    { redis: { sentinelMaster: 'parley' } },
    /redis\.sentinelMaster needs redis\.mode sentinel/,
  ],
  [
    'a password of sentinels that there are not',
    { redis: { sentinelPasswordKey: 'password' } },
    /redis\.sentinelPasswordKey needs redis\.sentinelMaster and redis\.existingSecret/,
  ],
  ['an unknown Redis mode', { redis: { mode: 'ring' } }, /\/redis\/mode.*must be one of/s],
  [
    'a CA from two places',
    { caBundle: { existingSecret: 'a', existingConfigMap: 'b' } },
    /caBundle: give existingSecret or existingConfigMap, not both/,
  ],
  [
    'a value that does not exist',
    { realtimeGatway: {} },
    /additional properties 'realtimeGatway' not allowed/,
  ],
  [
    'a setting that does not exist',
    { settings: { REALTIME_IDEL_TIMEOUT_SECONDS: 5 } },
    /additional properties 'REALTIME_IDEL_TIMEOUT_SECONDS' not allowed/,
  ],
  [
    'a secret among the settings',
    { settings: { SECRETS_KEY: 'x' } },
    /additional properties 'SECRETS_KEY' not allowed/,
  ],
  [
    'a setting out of bounds',
    { settings: { REALTIME_IDLE_TIMEOUT_SECONDS: 2_147_484 } },
    /(REALTIME_IDLE_TIMEOUT_SECONDS|timeoutSeconds)'.*maximum: got/,
  ],
  [
    'a setting of another type',
    { settings: { REALTIME_ENABLED: 'sometimes' } },
    /\/settings\/REALTIME_ENABLED.*got string, want boolean/s,
  ],
  [
    'a drain that overflows a timer',
    { realtimeGateway: { drain: { timeoutSeconds: 2_147_484 } } },
    /(REALTIME_IDLE_TIMEOUT_SECONDS|timeoutSeconds)'.*maximum: got/,
  ],
  [
    'a grace period shorter than the drain',
    { realtimeGateway: { drain: { graceSeconds: 149 } } },
    /realtime-gateway: drain\.graceSeconds 149 is less than preStop 10 \+ lag 5 \+ timeout 120 \+ 15 = 150/,
  ],
  [
    'a grace period of nothing',
    { worker: { drain: { graceSeconds: 0 } } },
    /worker: drain\.graceSeconds 0 is less than/,
  ],
  [
    'two disruption budgets',
    { api: { pdb: { minAvailable: 1 } } },
    /api: set one of pdb\.maxUnavailable and pdb\.minAvailable/,
  ],
  [
    'no disruption budget',
    { api: { pdb: { maxUnavailable: null } } },
    /api: set one of pdb\.maxUnavailable and pdb\.minAvailable/,
  ],
  [
    'a budget of zero',
    { worker: { pdb: { maxUnavailable: 0 } } },
    /worker: pdb\.maxUnavailable 0 would block every drain/,
  ],
  [
    'a budget that blocks one replica',
    { api: { replicas: 1, pdb: { maxUnavailable: null, minAvailable: 1 } } },
    /api: pdb\.minAvailable 1 with 1 pods would block every drain/,
  ],
  [
    'a budget of everything',
    { api: { pdb: { maxUnavailable: null, minAvailable: '100%' } } },
    /api: pdb\.minAvailable 100% .* would block every drain/,
  ],
  [
    'a budget that is everything once rounded up',
    { api: { replicas: 3, pdb: { maxUnavailable: null, minAvailable: '67%' } } },
    /api: pdb\.minAvailable 67% with 3 pods would block every drain/,
  ],
  [
    'more fewest than most replicas',
    { api: { autoscaling: { enabled: true, minReplicas: 11 } } },
    /api: autoscaling\.minReplicas 11 is more than autoscaling\.maxReplicas 10/,
  ],
  [
    'a target that a pod never reaches',
    { realtimeGateway: { autoscaling: { enabled: true, sessions: 2000 } } },
    /autoscaling\.sessions 2000 is not less than REALTIME_MAX_SESSIONS 2000/,
  ],
  [
    'KEDA without Prometheus',
    { realtimeGateway: { autoscaling: { enabled: true, type: 'keda' } } },
    /realtimeGateway\.autoscaling\.keda\.serverAddress is required/,
  ],
  [
    'routes without a gateway',
    { httpRoute: { enabled: true } },
    /httpRoute\.enabled needs httpRoute\.parentRefs/,
  ],
  ['an ingress without a host', { ingress: { enabled: true } }, /ingress\.host is required/],
  [
    'an ingress whose controller has a syntax of its own, without a path in it',
    { ingress: { enabled: true, controller: 'other', host: 'parley.example.com' } },
    /ingress\.controller other needs ingress\.realtimePath: what matches \/api\/v1\/Agent/,
  ],
  [
    'an unknown ingress controller',
    { ingress: { controller: 'apache' } },
    /\/ingress\/controller.*must be one of/s,
  ],
  [
    'a test key without an organization',
    { sessionTest: { existingSecret: 'key' } },
    /sessionTest\.existingSecret needs sessionTest\.organizationId/,
  ],
  [
    'a memory limit that cannot be computed with',
    { api: { resources: { limits: { memory: '0.5Gi' } } } },
    /\/api\/resources\/limits\/memory.*does not match pattern/s,
  ],
  [
    'a digest that is none',
    { worker: { image: { digest: 'sha256:abc' } } },
    /\/worker\/image\/digest.*does not match pattern/s,
  ],
];

describe('the chart refuses', () => {
  needs('helm');

  it('nothing of the values that the refusals are laid over', async () => {
    expect(await render({ values: good })).to.have.property('text');
  });

  for (const [title, values, complaint] of refusals)
    it(title, async () => {
      const rendered = await render({ values: laidOver(good, values) });
      expect(rendered).to.have.property('error').that.matches(complaint);
    });

  it('a Kubernetes that is too old', async () => {
    const rendered = await render({ values: good, kubeVersion: '1.26.0' });
    expect(rendered)
      .to.have.property('error')
      .that.matches(/requires kubeVersion: >=1\.27/);
  });
});

function laidOver(below: Values, above: Values): Values {
  const merged = Object.entries(above).map(([name, value]) => {
    const old = below[name];
    return [name, isValues(old) && isValues(value) ? laidOver(old, value) : value];
  });
  return { ...below, ...(Object.fromEntries(merged) as Values) };
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
