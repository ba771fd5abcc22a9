import { expect } from 'chai';
import { parseEgressEntry } from '#src/allow-list.js';
import { createEgress, EgressRefused } from '#src/index.js';

const refused = (url: string, allow: string[] = []) =>
  expect(() => createEgress(allow).check(url), url).to.throw(EgressRefused);
const accepted = (url: string, allow: string[] = []) =>
  expect(createEgress(allow).check(url).href, url).to.be.a('string');

describe('the egress policy', () => {
  const addresses = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0'],
    ...['[::]', '[::1]', '[::ffff:7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]'],
    ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b::7f00:1]', '[64:ff9b:1::808:808]', '[fd00:ec2::254]'],
    ...['169.254.169.254', '169.254.170.2', '①②⑦.⓪.⓪.①', '100.64.0.1', '100.100.100.200'],
    ...['168.63.129.16', '2822734096', '[::ffff:168.63.129.16]', '[64:ff9b::a83f:8110]'],
    ...['161.26.0.10', '166.9.12.100', '192.0.0.192', '169.254.42.42', '[fd20:ce::254]'],
    ...['198.18.0.1', '192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '10.1.2.3', '172.16.0.1'],
    ...['172.31.255.255', '192.168.0.1', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[ff02::1]'],
    ...['[2002:7f00:1::]', '[2002:a9fe:a9fe::]', '[2001:0:7f00:1::]', '[2001:db8::1]', '[100::1]'],
    ...['[::7f00:1]', '[::ffff:0:7f00:1]', '[2001:10::1]', '[3fff::1]', '[4000::1]', '[5f00::1]'],
  ];
  for (const address of addresses)
    it(`refuses the address ${address}`, () => {
      refused(`http://${address}/`);
      refused(`https://${address}/`);
    });

  const names = [
    ...[
      'localhost',
      'localhost.',
      'LOCALHOST',
      'app.localhost',
      'redis',
      'postgres.',
      'printer.local',
    ],
    ...['metadata.google.internal', 'metadata.google.internal.', 'api.default.svc'],
    ...['redis.default.svc.cluster.local', 'router.lan', 'nas.home.arpa'],
  ];
  for (const name of names) it(`refuses the name ${name}`, () => refused(`http://${name}/`));

  it('names the setting that would allow a private address', () => {
    for (const host of ['127.0.0.1', 'localhost', 'orders.internal'])
      expect(() => createEgress([]).check(`http://${host}/`)).to.throw(/TOOL_EGRESS_ALLOW/);
  });

  it('refuses other schemes, credentials and what is no URL', () => {
    for (const url of [
      'file:///etc/passwd',
      'gopher://example.com',
      'ftp://example.com/',
      'data:,x',
    ])
      refused(url);
    for (const url of [
      'https://user@example.com/',
      'https://u:p@example.com/',
      'https://:p@example.com',
    ])
      refused(url);
    for (const url of ['', 'example.com', '//example.com', 'http://', 'https://exa mple.com/'])
      refused(url);
    refused('http://127.0.0.1:80\\@example.com/');
    refused('http://example.com@127.0.0.1/');
  });

  it('refuses a public address on another port', () => {
    refused('http://93.184.216.34:8080/');
    refused('https://[2606:2800:220:1::1]:22/');
    accepted('http://93.184.216.34/');
    accepted('http://93.184.216.34:443/');
    accepted('https://[2606:2800:220:1::1]/');
    accepted('wss://example.com/v1/realtime');
  });

  it('allows an IPv4 address behind the well-known NAT64 prefix if it is public', () => {
    accepted('http://[64:ff9b::5db8:d822]/');
  });

  it('allows what the operator allows: a host and a range with every port, host:port that port', () => {
    accepted('http://llm:8000/', ['llm']);
    accepted('http://LLM.:8000/', ['llm']);
    accepted('http://llm:8000/', ['llm:8000']);
    refused('http://llm:8001/', ['llm:8000']);
    refused('http://llm2:8000/', ['llm:8000']);
    accepted('http://127.0.0.1:9/', ['127.0.0.0/8']);
    accepted('http://[::ffff:127.0.0.1]:9/', ['127.0.0.1']);
    accepted('http://127.0.0.1:9/', ['127.0.0.1:9']);
    refused('http://127.0.0.1:10/', ['127.0.0.1:9']);
    accepted('http://[fd00::5]:9/', ['fd00::/8']);
    accepted('http://[::1]:9/', ['[::1]:9']);
    refused('http://10.0.0.1/', ['127.0.0.0/8', 'fd00::/8']);
  });

  it('knows what an entry of the list may be', () => {
    for (const entry of [
      'llm',
      'llm:80',
      'a.b.c',
      '10.0.0.0/8',
      '::1',
      'fd00::/8',
      '[::1]:80',
      '10.0.0.1:1',
    ])
      expect(parseEgressEntry(entry), entry).to.be.an('object');
    for (const entry of [
      '',
      ' ',
      'http://llm',
      'llm:',
      'llm:0',
      'llm:70000',
      'a b',
      '10.0.0.0/33',
      '*',
      'a/b',
      '999.1.1.1',
    ])
      expect(parseEgressEntry(entry), entry).to.equal(undefined);
    expect(() => createEgress(['a b'])).to.throw(RangeError, 'a b');
  });
});
