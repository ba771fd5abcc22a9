import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import {
  clientEvents,
  closeCodes,
  customEvents,
  openApiDocument,
  operations,
  problems,
  realtimeErrors,
  refusals,
  shortfalls,
  type Operation,
} from '@parley/protocol';
import { startApi, type ApiUnderTest } from './support/api-under-test.js';

describe('the contract and its pages', () => {
  let api: ApiUnderTest;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const fetchText = async (path: string) => {
    const response = await fetch(`${api.url}${path}`);
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
    };
  };

  for (const [path, version] of Object.entries({
    '/api/v1/openapi.json': '"openapi":"3.1',
    '/api/v1/asyncapi.json': '"asyncapi":"3.1',
  }))
    it(`serves ${path} without a key, which a linter accepts`, async () => {
      const { status, text } = await fetchText(path);
      expect(status).to.equal(200);
      expect(text).to.include(version);
      const config = await createConfig({
        extends: ['recommended-strict'],
        rules: { 'no-server-example.com': 'off' },
      });
      const found = await lintFromString({ source: text, config });
      expect(
        found
          .map(
            ({ ruleId, message, location }) =>
              `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
          )
          // A WebSocket is opened with 101.
          .filter((finding) => !/^operation-2xx-response: .*~1realtime\/get/.test(finding)),
      ).to.deep.equal([]);
    });

  it('serves pages that may load nothing but what this server has', async () => {
    for (const path of ['/', '/docs', '/docs/quick-start', '/docs/api']) {
      const response = await fetch(`${api.url}${path}`, { headers: { Accept: 'text/html' } });
      expect([response.status, response.headers.get('content-type')], path).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
      const policy = response.headers.get('content-security-policy');
      expect(policy, path)
        .to.include("default-src 'none'")
        .and.include("script-src 'self';")
        .and.not.match(/unsafe|https:|data:/);
      expect(await response.text(), path).not.to.match(/<style|<script>| style=| on\w+=/);
    }
  });

  it('answers a browser that is lost with a page, and a program with a problem', async () => {
    const lost = async (path: string, accept: string) => {
      const response = await fetch(`${api.url}${path}`, { headers: { Accept: accept } });
      return [response.status, response.headers.get('content-type')];
    };
    const problem = [404, 'application/problem+json; charset=utf-8'];
    expect(await lost('/docs/nothing', 'text/html')).to.deep.equal([
      404,
      'text/html; charset=utf-8',
    ]);
    for (const path of ['/docs/nothing', '/', '/docs/../../package.json', '/docs/assets/%2e%2e/x'])
      expect(await lost(path, 'application/json'), path).to.deep.equal(problem);
    expect(await lost('/', '*/*')).to.deep.equal(problem);
  });

  it('describes every operation with its path, and every schema', async () => {
    const { text } = await fetchText('/docs/api');
    for (const [id, { method, path }] of Object.entries<Operation>(operations)) {
      expect(text).to.include(`<h3 id="${id}">`);
      expect(text).to.include(`${method.toUpperCase()}</span> <code>/api/v1${path}</code>`);
    }
    for (const name of Object.keys(openApiDocument('test').components.schemas))
      expect(text).to.include(`<h3 id="schema-${name}">`);
  });

  it('shows every event that the service adds, and what becomes of those of a client', async () => {
    const { text } = await fetchText('/docs/realtime');
    const documented = [...text.matchAll(/<tr id="([^"]+)">/g)].map(([, id]) => id);
    expect(documented).to.include.members(Object.keys(customEvents));
    expect(documented).to.include.members(
      Object.keys(clientEvents).map((type) => `client-${type}`),
    );
  });

  it('shows what is new, also to who comes by the former address', async () => {
    for (const path of ['/docs/whats-new', '/docs/changes']) {
      const { status, type, text } = await fetchText(path);
      expect([status, type]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(text).to.include('<code>Idempotency-Key</code>');
    }
  });

  it('documents every error and close code, at the place that a problem’s type names', async () => {
    const { text } = await fetchText('/docs/errors');
    for (const code of Object.keys(problems)) expect(text).to.include(`<h3 id="${code}">`);
    for (const code of Object.keys({ ...realtimeErrors, ...refusals, ...shortfalls }))
      expect(text).to.include(`<h3 id="${code.toLowerCase()}">`);
    for (const [name, { code }] of Object.entries(closeCodes))
      expect(text).to.include(`<h3 id="${code}-${name.toLowerCase()}">`);
  });
});
