import { expect } from 'chai';
import { reachableHost } from '#src/reachable-host.js';

const loopback = { address: '127.0.0.1', family: 'IPv4', internal: true };
const v6 = { address: 'fd00::7', family: 'IPv6', internal: false };
const v4 = { address: '10.0.0.7', family: 'IPv4', internal: false };
type Interfaces = Parameters<typeof reachableHost>[2];
const having = (...addresses: object[]) => ({ eth0: addresses }) as Interfaces;

describe('the host at which others reach this machine', () => {
  it('is the one that was given', () => {
    expect(reachableHost('0.0.0.0', 'gateway-1', having(v4))).to.equal('gateway-1');
    expect(reachableHost('0.0.0.0', 'fd00::1', having(v4))).to.equal('[fd00::1]');
  });

  it('is the one that is listened on, if it is a single one', () => {
    expect(reachableHost('10.0.0.1', undefined, having(v4))).to.equal('10.0.0.1');
  });

  it('is else the first that is not only its own', () => {
    for (const host of ['0.0.0.0', '::'])
      expect(reachableHost(host, undefined, having(loopback, v6, v4))).to.equal('10.0.0.7');
    expect(reachableHost('::', undefined, having(loopback, v6))).to.equal('[fd00::7]');
    expect(reachableHost('::', undefined, having(loopback))).to.equal('127.0.0.1');
  });
});
