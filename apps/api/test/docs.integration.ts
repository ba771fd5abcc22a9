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

  it('serves the reference page from itself, without a link that leads nowhere', async () => {
    const { status, type, text } = await fetchText('/docs');
    expect([status, type]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const links = new Set([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!));
    const places = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id!}`);
    expect([...links]).to.include.members(['/docs/errors', '/docs/realtime', '/docs/changes']);
    expect(new Set(places)).to.have.length(places.length);
    for (const link of links) {
      if (link === 'data:,') continue;
      if (link.startsWith('#')) expect(places).to.include(link);
      else expect((await fetchText(link)).status, link).to.equal(200);
    }
  });

  it('describes every operation with its path, and every schema', async () => {
    const { text } = await fetchText('/docs');
    for (const [id, { method, path }] of Object.entries<Operation>(operations)) {
      expect(text).to.include(`<h3 id="${id}">`);
      expect(text).to.include(`<code>${method.toUpperCase()} /api/v1${path}</code>`);
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

  it('shows what is new', async () => {
    const { status, type, text } = await fetchText('/docs/changes');
    expect([status, type]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(text).to.include('<h2>Unreleased</h2>').and.include('<code>Idempotency-Key</code>');
  });

  it('documents every error and close code, and none that does not exist', async () => {
    const { text } = await fetchText('/docs/errors');
    const documented = [...text.matchAll(/<tr id="([^"]+)">/g)].map(([, id]) => id);
    const existing = [
      ...Object.keys(problems),
      ...Object.keys(realtimeErrors),
      ...Object.keys(closeCodes).map((name) => `close-${name}`),
    ];
    expect(documented).to.have.members(existing);
  });
});
