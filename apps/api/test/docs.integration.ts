import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { closeCodes, problems, realtimeErrors } from '@parley/protocol';
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

  it('serves an OpenAPI 3.1 document without a key, which a linter accepts', async () => {
    const { status, text } = await fetchText('/api/v1/openapi.json');
    expect(status).to.equal(200);
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: { 'no-server-example.com': 'off' },
    });
    const found = await lintFromString({ source: text, config });
    expect(
      found.map(
        ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
      ),
    ).to.deep.equal([]);
  });

  it('serves the reference page with all its assets from itself', async () => {
    const { status, type, text } = await fetchText('/docs');
    expect([status, type]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).to.include('/docs/assets/swagger-ui-bundle.js');
    for (const link of links) {
      expect(link, 'stays on this server').to.match(/^\//);
      expect((await fetchText(link)).status, link).to.equal(200);
    }
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
