import { expect } from 'chai';
import { startApi, type ApiUnderTest } from './support/api-under-test.js';

describe('the console’s files', () => {
  let api: ApiUnderTest;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const get = async (url: string, path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { Accept: 'text/html' } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  for (const path of ['/console', '/console/', '/console/some/page?of=it'])
    it(`are one page at ${path}, asked for anew each time`, async () => {
      const { status, headers, text } = await get(api.url, path);
      expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-cache']);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(text).to.include('<div id="console">');
    });

  it('have names that change with what is in them, and are kept for a year', async () => {
    const { text: html } = await get(api.url, '/console/');
    const [, script] = /<script type="module" crossorigin src="([^"]+)"/.exec(html) ?? [];
    const { status, headers } = await get(api.url, script ?? '');
    expect([status, headers.get('content-encoding')]).to.deep.equal([200, 'gzip']);
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).to.include('javascript');
  });

  it('run under a policy without exceptions, in no frame', async () => {
    const { headers } = await get(api.url, '/console/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
    expect(policy).not.to.match(/unsafe|data:|blob:|\*/);
    expect(headers.get('x-frame-options')).to.equal('DENY');
  });

  it('are shown in frames where the operator says so', async () => {
    const other = await startApi({ frameAncestors: ['https://intranet.example'] });
    const { headers } = await get(other.url, '/console/');
    await other.stop();
    expect(headers.get('content-security-policy')).to.include(
      'frame-ancestors https://intranet.example',
    );
    expect(headers.has('x-frame-options')).to.equal(false);
  });

  for (const path of [
    '/console/assets/gone-12345678.js',
    '/console/../package.json',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/assets/..%2f..%2fpackage.json',
  ])
    it(`are no other files: ${path} is 404`, async () => {
      const { status } = await get(api.url, path);
      expect(status).to.equal(404);
    });
});
