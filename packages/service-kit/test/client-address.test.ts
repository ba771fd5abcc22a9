import { expect } from 'chai';
import { clientAddressBehind } from '#src/client-address.js';

describe('the address of a client', () => {
  const from = (remoteAddress: string | undefined, forwarded?: string) => ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });
  const direct = clientAddressBehind([]);
  const behind = clientAddressBehind(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

  it('is that of the socket, whatever a client says', () => {
    expect(direct(from('198.51.100.1', '203.0.113.9'))).to.equal('198.51.100.1');
    expect(behind(from('198.51.100.1', '203.0.113.9'))).to.equal('198.51.100.1');
    expect(direct(from(undefined, '203.0.113.9'))).to.equal('');
  });

  it('is what trusted proxies say, and not what the client made them pass on', () => {
    expect(behind(from('10.1.2.3', '203.0.113.9'))).to.equal('203.0.113.9');
    expect(behind(from('10.1.2.3', '1.1.1.1, 203.0.113.9'))).to.equal('203.0.113.9');
    expect(behind(from('10.1.2.3', '1.1.1.1, 203.0.113.9, 192.0.2.7'))).to.equal('203.0.113.9');
    expect(behind(from('fd00::1', '203.0.113.9'))).to.equal('203.0.113.9');
    expect(behind(from('10.1.2.3', '10.9.9.9'))).to.equal('10.9.9.9');
  });

  it('is the proxy’s own where it names none that can be read', () => {
    for (const forwarded of [
      '',
      'unknown',
      '203.0.113.9, garbage',
      ',',
      '1.2.3.4:x',
      '[::1',
      '[1.2.3',
    ])
      expect(behind(from('10.1.2.3', forwarded)), forwarded).to.equal('10.1.2.3');
    expect(behind(from('10.1.2.3'))).to.equal('10.1.2.3');
  });

  it('is read without the port that some proxies append', () => {
    expect(behind(from('10.1.2.3', '203.0.113.9:4711'))).to.equal('203.0.113.9');
    expect(behind(from('10.1.2.3', '1.1.1.1, 203.0.113.9:4711, 10.2.2.2:80'))).to.equal(
      '203.0.113.9',
    );
    for (const hop of ['[2001:db8:0:5::1]:4711', '[2001:db8:0:5::1]', '2001:db8:0:5::1'])
      expect(behind(from('10.1.2.3', hop)), hop).to.equal('2001:db8:0:5::/64');
  });

  it('is one for an IPv4 address however it is written, and for the network of an IPv6 customer', () => {
    expect(direct(from('::ffff:198.51.100.1'))).to.equal('198.51.100.1');
    expect(behind(from('::ffff:10.1.2.3', '::ffff:203.0.113.9'))).to.equal('203.0.113.9');
    const networks = ['2001:db8:0:5::1', '2001:0db8::5:ffff:1:2:3', '2001:db8:0:5:a:b:c:d%eth0'];
    for (const address of networks)
      expect(direct(from(address)), address).to.equal('2001:db8:0:5::/64');
    expect(direct(from('::1'))).to.equal('0:0:0:0::/64');
  });

  it('needs ranges that can be read', () => {
    for (const range of ['proxy', '10.0.0.0/33', '10.0.0.0/x', 'fd00::/129'])
      expect(() => clientAddressBehind([range]), range).to.throw();
  });
});
