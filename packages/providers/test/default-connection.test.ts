import { expect } from 'chai';
import { defaultConnection } from '#src/default-connection.js';

describe('the default connection', () => {
  it('is OpenAI when there is only an OpenAI key', () => {
    expect(defaultConnection({ OPENAI_API_KEY: 'k' })).to.deep.equal({
      kind: 'openai',
      baseUrl: null,
      secret: 'k',
    });
  });

  it('is what is configured, with its own key first', () => {
    const settings = {
      PROVIDER_KIND: 'openai-compatible',
      PROVIDER_BASE_URL: 'http://llm/v1',
      PROVIDER_API_KEY: 'p',
      OPENAI_API_KEY: 'k',
    } as const;
    expect(defaultConnection(settings)).to.deep.equal({
      kind: 'openai-compatible',
      baseUrl: 'http://llm/v1',
      secret: 'p',
    });
  });

  it('needs no key', () => {
    expect(defaultConnection({ PROVIDER_KIND: 'simulator' })).to.have.property('secret', null);
  });

  it('is absent when nothing is configured', () => {
    expect(defaultConnection({})).to.equal(undefined);
  });
});
