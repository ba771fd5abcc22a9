import { BlockList, isIPv6 } from 'node:net';
import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { manifests, valueSets, type Manifest, type Values } from './chart.js';

const privateAddresses = [
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.255.255'],
  ...['192.168.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', 'fd00:ec2::254', 'fe80::1'],
  ...['ff02::1', '64:ff9b::a00:1', '64:ff9b:1::a00:1', '2002:a00:1::1', '2001:0:a00:1::1'],
];
const publicAddresses = ['1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'];

type Rule = {
  ports?: { port: number }[];
  to?: {
    ipBlock?: { cidr: string; except?: string[] };
    namespaceSelector?: unknown;
    podSelector?: unknown;
  }[];
};

describe('the network policies', () => {
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

  it('let gateways reach each other’s internal port, and nobody else reach it but Prometheus', async () => {
    const all = await rendered('production');
    const ofApp = (rules: Rule[]) => rules.filter(({ ports }) => ports?.[0]?.port === 9090);
    for (const app of ['api', 'worker']) expect(ofApp(egressOf(all, app)), app).to.deep.equal([]);
    const [peers, ...others] = ofApp(egressOf(all, 'realtime-gateway'));
    expect(others).to.deep.equal([]);
    const label = '"app.kubernetes.io/component":"realtime-gateway"';
    expect(JSON.stringify(peers?.to)).to.include(label);
  });

  it('open no private address for a bucket that is at a public one', async () => {
    const fileStorage = { kind: 's3', bucket: 'parley-files', existingSecret: 's3' };
    const before = egressOf(await rendered('production'), 'api');
    expect(egressOf(await rendered('production', { fileStorage }), 'api')).to.deep.equal(before);
  });

  it('let public addresses through, and no others', async () => {
    const blocks = egressOf(await rendered('production'), 'worker')
      .flatMap(({ to = [] }) => to)
      .flatMap(({ ipBlock }) => (ipBlock?.except ? [ipBlock] : []));
    const isReached = (address: string) =>
      blocks.some(
        ({ cidr, except = [] }) =>
          isWithin(address, cidr) && !except.some((each) => isWithin(address, each)),
      );
    for (const { cidr, except = [] } of blocks)
      for (const each of except) expect(isWithin(each.split('/')[0]!, cidr), each).to.equal(true);
    const reached = [...privateAddresses, ...publicAddresses].filter(isReached);
    expect(reached).to.deep.equal(publicAddresses);
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

function isWithin(address: string, range: string): boolean {
  const [network = '', bits] = range.split('/');
  const family = (each: string) => (isIPv6(each) ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family(network));
  return list.check(address, family(address));
}
