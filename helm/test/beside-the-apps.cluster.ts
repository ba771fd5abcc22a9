import { expect } from 'chai';
import { settings } from '@parley/service-kit';
import { needs } from '@parley/testkit';
import { manifests, valueSets, type Manifest } from './chart.js';

const { file: trial } = valueSets.find(({ name }) => name === 'trial')!;

/** The simulator, the migration and the pod of helm test: what runs beside the apps. */
describe('the manifests beside those of the apps', () => {
  needs('helm');
  let rendered: Manifest[];
  before(async () => void (rendered = await manifests({ files: [trial] })));

  it('replace the simulator only for settings that it reads', async () => {
    const read = Object.entries<{ apps: readonly string[] }>(settings)
      .filter(([name, { apps }]) => apps.includes('provider-simulator') && !name.endsWith('PORT'))
      .map(([name]) => name);
    const simulatorOf = async (values: object) => {
      const all = await manifests({ files: [trial], values: values as Record<string, unknown> });
      const simulator = all.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('simulator'),
      );
      return JSON.stringify(simulator!.spec['template']);
    };
    const before = await simulatorOf({});
    const others = {
      settings: { REALTIME_MAX_SESSIONS: 9 },
      bootstrap: { apiKey: 'x'.repeat(20) },
    };
    expect(await simulatorOf(others)).to.equal(before);
    for (const name of read) {
      const value = name === 'LOG_LEVEL' ? 'warn' : '127.0.0.1';
      expect(await simulatorOf({ settings: { [name]: value } }), name).to.not.equal(before);
    }
  });

  it('give up on a migration before its deadline, which would hide why', () => {
    const { spec } = rendered.find(({ kind }) => kind === 'Job')!;
    const { backoffLimit, activeDeadlineSeconds } = spec as Record<string, number>;
    const waits = Array.from({ length: backoffLimit! }, (_, attempt) => 10 * 2 ** attempt);
    const waited = waits.reduce((sum, seconds) => sum + seconds);
    expect(waited).to.be.below(activeDeadlineSeconds! / 1.5);
  });

  it('do not repeat a migration whose login is refused, and leave it for a day at most', () => {
    const job = rendered.find(({ kind }) => kind === 'Job')!;
    expect(job.spec).to.deep.include({
      ttlSecondsAfterFinished: 86_400,
      podFailurePolicy: {
        rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [78] } }],
      },
    });
  });

  it('keep the pod of helm test, whose log --logs reads', () => {
    const pod = rendered.find(({ kind }) => kind === 'Pod')!;
    expect(pod.metadata.annotations).to.include({
      'helm.sh/hook': 'test',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    });
  });
});
