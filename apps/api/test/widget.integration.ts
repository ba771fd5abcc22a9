import { expect } from 'chai';
import { startApi, type ApiUnderTest } from './support/api-under-test.js';
import { rawRequest } from './support/raw-request.js';

describe('the widget’s scripts', () => {
  let api: ApiUnderTest;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${api.url}${path}`, init);
    return { response, text: await response.text() };
  };

  for (const [path, words] of Object.entries({
    '/widget.js': 'parley-agent',
    '/audio-worklet.js': 'registerProcessor',
  })) {
    it(`are served at ${path} without a key, for pages of any origin`, async () => {
      const { response, text } = await ask(path, { headers: { Origin: 'https://shop.example' } });
      expect(response.status).to.equal(200);
      expect(text).to.include(words);
      expect(Object.fromEntries(response.headers)).to.include({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
      });
    });

    it(`are not sent again from ${path} to who has them, and not at all to who asks for the head`, async () => {
      const { response } = await ask(path);
      const tag = response.headers.get('etag')!;
      // fetch would ask for a fresh copy beside it.
      const headers = ['Host: x', `If-None-Match: ${tag}`, 'Connection: close'].join('\r\n');
      const again = await rawRequest(api.url, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
      expect(again)
        .to.match(/^HTTP\/1\.1 304 /)
        .and.include('Access-Control-Allow-Origin: *')
        .and.match(/\r\n\r\n$/);
      const changed = await ask(path, { headers: { 'If-None-Match': '"other"' } });
      expect(changed.response.status).to.equal(200);
      const head = await ask(path, { method: 'HEAD' });
      expect([head.response.status, head.text, head.response.headers.get('etag')]).to.deep.equal([
        200,
        '',
        tag,
      ]);
    });
  }

  it('are plain for clients that do not unpack, and 404 for other methods', async () => {
    const plain = await ask('/widget.js', { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.response.headers.has('content-encoding')).to.equal(false);
    expect(plain.text).to.include('parley-agent');
    const posted = await ask('/widget.js', { method: 'POST' });
    expect(posted.response.status).to.equal(404);
  });
});
