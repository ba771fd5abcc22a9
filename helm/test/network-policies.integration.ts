import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { manifests, valueSets, type Manifest, type Values } from './chart.js';

type Rule = {
  ports?: { port: number }[];
  to?: { ipBlock?: { cidr: string; except?: string[] }; namespaceSelector?: unknown }[];
};

describe('the network policies', function () {
  this.timeout(60_000);
  needs('helm');

  const rendered = (name: string, values?: Values) =>
    manifests({
      files: [valueSets.find((set) => set.name === name)!.file],
      ...(values && { values }),
    });

  it('let the api and the worker reach a bucket in the cluster, and the gateways not', async () => {
    const all = await rendered('cluster-haproxy');
    const reaching = ['api', 'realtime-gateway', 'worker'].filter((app) =>
      egressOf(all, app).some(({ ports }) => ports?.some(({ port }) => port === 9000)),
    );
    expect(reaching).to.deep.equal(['api', 'worker']);
  });

  it('open no private address for a bucket that is at a public one', async () => {
    const fileStorage = { kind: 's3', bucket: 'parley-files', existingSecret: 's3' };
    const before = egressOf(await rendered('production'), 'api');
    expect(egressOf(await rendered('production', { fileStorage }), 'api')).to.deep.equal(before);
  });

  const allowed: [entry: string, rule: Rule | undefined][] = [
    ['10.40.0.0/16', { to: [{ ipBlock: { cidr: '10.40.0.0/16' } }] }],
    ['10.50.0.7', { to: [{ ipBlock: { cidr: '10.50.0.7/32' } }] }],
    ['10.50.0.7:8443', { to: [{ ipBlock: { cidr: '10.50.0.7/32' } }], ports: [{ port: 8443 }] }],
    ['[fd00::7]:8443', { to: [{ ipBlock: { cidr: 'fd00::7/128' } }], ports: [{ port: 8443 }] }],
    ['[fd00::7]', { to: [{ ipBlock: { cidr: 'fd00::7/128' } }] }],
    ['fd00:1::/64', { to: [{ ipBlock: { cidr: 'fd00:1::/64' } }] }],
    ['fd00::7', { to: [{ ipBlock: { cidr: 'fd00::7/128' } }] }],
    ['crm.internal', undefined],
    ['crm:8443', undefined],
    ['bad.cafe', undefined],
  ];
  for (const [entry, rule] of allowed)
    it(`let ${rule ? '' : 'no address through for '}${entry} of TOOL_EGRESS_ALLOW${rule ? ' through' : ''}`, async () => {
      const before = await rendered('production');
      const after = await rendered('production', { settings: { TOOL_EGRESS_ALLOW: [entry] } });
      for (const app of ['api', 'realtime-gateway', 'worker'])
        expect(egressOf(after, app)).to.deep.equal([
          ...egressOf(before, app),
          ...(rule ? [rule] : []),
        ]);
    });
});

function egressOf(all: Manifest[], app: string): Rule[] {
  const policy = all.find(
    ({ kind, metadata }) =>
      kind === 'NetworkPolicy' && metadata.labels['app.kubernetes.io/component'] === app,
  );
  return policy!.spec['egress'] as Rule[];
}
