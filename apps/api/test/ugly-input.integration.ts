import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';
import { rawRequest } from './support/raw-request.js';
import { formOf, formType } from './support/upload.js';

describe('ugly input', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;

  before(async () => {
    api = await startApi({ maxBodyBytes: 65_536 });
    tenant = await api.organization();
  });
  after(() => api.stop());

  it('answers 400 to null where a body may be left out', async () => {
    const { body } = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const path = `/api/v1/Agent/${(body as { id: string }).id}/realtime-session`;
    expect((await tenant.client.post(path, null)).status).to.equal(400);
    expect((await tenant.client.post(path)).status).to.equal(200);
  });

  it('answers 415 to an upload that says it is compressed', async () => {
    const reply = await tenant.client.request('POST', '/api/v1/TemporaryFile', {
      raw: formOf([{ content: 'x' }]),
      headers: { 'Content-Type': formType, 'Content-Encoding': 'gzip' },
    });
    expect([reply.status, problemCode(reply)]).to.deep.equal([415, 'media-type-unsupported']);
  });

  describe('the path', () => {
    for (const id of [
      'not-a-uuid',
      '%00',
      '..%2f..%2fetc',
      '1',
      'a'.repeat(2000),
      '%F0%9F%98%80',
      '00000000-0000-0000-0000-00000000000g',
    ])
      it(`answers 400 id-malformed to ${id.slice(0, 20)}`, async () => {
        const reply = await tenant.client.get(`/api/v1/Agent/${id}`);
        expect(reply.status).to.equal(400);
        expect(problemCode(reply)).to.equal('id-malformed');
      });

    it('answers 400 to a path that cannot be decoded', async () => {
      expect(problemCode(await tenant.client.get('/api/v1/Agent/%E0%A4%A'))).to.equal(
        'request-malformed',
      );
    });

    for (const path of [
      '/',
      '/api/v1',
      '/api/v1/Nothing',
      '/api/v1/agent',
      '/api/v1/Agent/',
      '//api/v1/Agent',
      '/api/v2/Agent',
      '/api/v1/Agent;x=1',
      '/api/v1/%2541gent',
    ])
      it(`answers 404 to ${path}`, async () => {
        const reply = await tenant.client.get(path);
        expect(reply.status).to.equal(404);
        expect(problemCode(reply)).to.equal('route-not-found');
      });

    it('answers 405 with Allow to another method', async () => {
      const reply = await tenant.client.request('PUT', '/api/v1/Agent', { body: {} });
      expect(reply.status).to.equal(405);
      expect(reply.headers.get('allow')).to.equal('GET, POST');
    });

    it('answers HEAD like GET without a body', async () => {
      const reply = await tenant.client.request('HEAD', '/api/v1/Agent');
      expect(reply.status).to.equal(200);
      expect(reply.body).to.equal('');
    });

    it('answers TRACE with 405', async () => {
      expect(
        await rawRequest(
          api.url,
          'TRACE /api/v1/Agent HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        ),
      ).to.match(/^HTTP\/1\.1 405 /);
    });
  });

  describe('Offset and Limit', () => {
    const bad = [
      '__proto__=1',
      'Limit=0',
      'Limit=-1',
      'Limit=201',
      'Limit=1.5',
      'Limit=NaN',
      'Limit=0x10',
      'Limit=1e2',
      'Limit=',
      'Limit=%EF%BC%91',
      'Limit=1&Limit=2',
      'Limit=%201',
      'Limit=007',
      'Limit[]=1',
      'limit=1',
      'Offset=-1',
      'Offset=9007199254740993',
      'Offset=1000000001',
      'Offset=99999999999999999999',
      'Nothing=1',
      'Limit=1%00',
    ];
    for (const query of bad)
      it(`answers 400 to ${query}`, async () => {
        const reply = await tenant.client.get(`/api/v1/Agent?${query}`);
        expect(reply.status).to.equal(400);
        expect(problemCode(reply)).to.equal('query-invalid');
      });

    it('have defaults and bounds', async () => {
      expect((await tenant.client.get('/api/v1/Agent')).body).to.include({ offset: 0, limit: 50 });
      expect(
        (await tenant.client.get('/api/v1/Agent?Limit=200&Offset=1000000000')).body,
      ).to.include({ offset: 1_000_000_000, limit: 200 });
    });
  });

  describe('the body', () => {
    const post = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
      tenant.client.post('/api/v1/Agent', undefined, { raw, headers });
    const cases: [string, string | Uint8Array, number, string, Record<string, string>?][] = [
      ['nothing', '', 400, 'body-malformed'],
      ['blanks', '   ', 400, 'body-malformed'],
      ['null', 'null', 400, 'body-invalid'],
      ['a list', '[]', 400, 'body-invalid'],
      ['a text', '"x"', 400, 'body-invalid'],
      ['a number', '1', 400, 'body-invalid'],
      ['broken JSON', '{"name":', 400, 'body-malformed'],
      [
        '5,000 levels',
        `{"name":"x","tools":${'['.repeat(5000)}${']'.repeat(5000)}}`,
        400,
        'body-malformed',
      ],
      ['a repeated key', '{"name":"a","name":"b"}', 400, 'body-malformed'],
      ['a number beyond all', '{"name":"a","maxSteps":1e400}', 400, 'body-malformed'],
      ['__proto__', '{"name":"a","__proto__":{"admin":true}}', 400, 'body-malformed'],
      ['constructor', '{"name":"a","constructor":{}}', 400, 'body-invalid'],
      ['10,000 wrong values', `{"name":"a","tools":[${'1,'.repeat(9999)}1]}`, 400, 'body-invalid'],
      ['NUL in a text', '{"name":"a\\u0000b"}', 400, 'body-malformed'],
      ['a lone surrogate', '{"name":"\\ud800"}', 400, 'body-malformed'],
      ['wrong UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400, 'body-malformed'],
      [
        'too much',
        JSON.stringify({ name: 'x', systemMessage: 'y'.repeat(70_000) }),
        413,
        'body-too-large',
      ],
      [
        'a gzip bomb',
        gzipSync(Buffer.alloc(20_000_000, 32)),
        413,
        'body-too-large',
        { 'Content-Encoding': 'gzip' },
      ],
      [
        'broken gzip',
        Buffer.from('not gzip'),
        400,
        'request-malformed',
        { 'Content-Encoding': 'gzip' },
      ],
      [
        'an unknown encoding',
        '{}',
        415,
        'media-type-unsupported',
        { 'Content-Encoding': 'compress' },
      ],
      [
        'another type',
        'name=x',
        415,
        'media-type-unsupported',
        { 'Content-Type': 'application/x-www-form-urlencoded' },
      ],
      [
        'another charset',
        '{"name":"x"}',
        415,
        'media-type-unsupported',
        { 'Content-Type': 'application/json; charset=utf-16' },
      ],
    ];
    for (const [title, raw, status, code, headers] of cases)
      it(`answers ${status} ${code} to ${title}`, async () => {
        const reply = await post(raw, headers);
        expect(reply.status).to.equal(status);
        expect(problemCode(reply)).to.equal(code);
      });

    for (const [title, raw, headers] of [
      ['with a byte order mark', '\uFEFF{"name":"bom"}', {}],
      ['compressed', gzipSync('{"name":"zip"}'), { 'Content-Encoding': 'gzip' }],
      [
        'as a +json type with its charset',
        '{"name":"x"}',
        { 'Content-Type': 'application/merge-patch+json; charset="UTF-8"' },
      ],
      ['with every plane of Unicode', '{"name":"ä漢😀"}', {}],
    ] as const)
      it(`is read ${title}`, async () => {
        expect((await post(raw, headers)).status).to.equal(201);
      });
  });

  describe('the request id', () => {
    it('is given back', async () => {
      const reply = await tenant.client.get('/api/v1/Agent', {
        headers: { 'X-Request-Id': 'abc-1.2_3' },
      });
      expect(reply.headers.get('x-request-id')).to.equal('abc-1.2_3');
    });

    it('is made anew when it could forge a log line', async () => {
      const reply = await tenant.client.get('/api/v1/Agent', {
        headers: { 'X-Request-Id': 'a b"c' },
      });
      expect(reply.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
    });

    it('stands in the log line with the route, and the key and the query do not', async () => {
      await tenant.client.get('/api/v1/Agent?Limit=7', { headers: { 'X-Request-Id': 'find-me' } });
      const line = api.logLines.find((text) => text.includes('find-me')) ?? '';
      expect(JSON.parse(line)).to.include({
        method: 'GET',
        route: '/Agent',
        status: 200,
        organizationId: tenant.id,
        keyId: tenant.keyId,
      });
      expect(line).not.to.include('Limit=7');
      expect(api.logLines.join('')).not.to.include(tenant.key);
    });
  });

  it('sets protective headers and does not name its framework', async () => {
    const { headers } = await tenant.client.get('/api/v1/Agent');
    expect(headers.get('x-powered-by')).to.equal(null);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('content-security-policy')).to.include("default-src 'none'");
  });

  it('measures requests by route, with no id in a label', async () => {
    await tenant.client.get(`/api/v1/Agent/${tenant.id}`);
    const text = await api.metrics.registry.metrics();
    expect(text).to.include('route="/Agent/{agentId}"');
    expect(text).not.to.include(tenant.id);
  });

  it('answers 431 to huge headers and 400 to a broken request, and lives', async () => {
    expect(
      await rawRequest(api.url, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`),
    ).to.match(/^HTTP\/1\.1 431 /);
    expect(
      await rawRequest(
        api.url,
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    ).to.match(/^HTTP\/1\.1 400 /);
    expect((await tenant.client.get('/api/v1/Agent')).status).to.equal(200);
  });
});
