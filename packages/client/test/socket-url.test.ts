import { expect } from 'chai';
import { serviceIn, socketUrl } from '#src/session/socket-url.js';

describe('the address of a session', () => {
  const path = '/api/v1/Agent/a/realtime?conversationId=c';
  for (const [what, given, base, expected] of [
    ['is on the service', path, 'https://example.com', 'wss://example.com'],
    ['is below its path', path, 'https://example.com/parley', 'wss://example.com/parley'],
    ['is below a path that ends with /', path, 'http://example.com/a/b/', 'ws://example.com/a/b'],
    [
      'is below it once',
      `/parley${path}`,
      'https://example.com/parley',
      'wss://example.com/parley',
    ],
    ['may be complete', `https://a.example/x${path}`, 'https://b.example/y', 'wss://a.example/x'],
    [
      'may be complete but for the scheme',
      `//a.example${path}`,
      'https://b.example',
      'wss://a.example',
    ],
  ] as const)
    it(what, () => {
      const url = socketUrl(given, base);
      expect(url.href).to.equal(`${expected}${path}&errors=close`);
      expect(serviceIn(url)).to.equal(expected);
    });

  it('may be complete without an address of the service', () => {
    const url = socketUrl(`wss://a.example${path}`, undefined);
    expect(url.host).to.equal('a.example');
  });

  it('needs the address of the service where there is no page', () => {
    expect(() => socketUrl(path, undefined)).to.throw('Pass `baseUrl`');
    expect(() => socketUrl(path, 'example')).to.throw('Pass `baseUrl`');
  });
});
