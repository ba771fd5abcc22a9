import { expect } from 'chai';
import { connectionFor, defaultConnection } from '#src/default-connection.js';

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

describe('connectionFor', () => {
  const simulator = { kind: 'simulator', baseUrl: 'http://127.0.0.1:1/v1', secret: 's' } as const;
  const openai = { kind: 'openai', baseUrl: null, secret: 'sk' } as const;

  it('takes the agent’s own connection, else the deployment’s', () => {
    expect(connectionFor(openai, simulator)).to.equal(openai);
    expect(connectionFor(null, simulator)).to.equal(simulator);
    expect(connectionFor(null, undefined)).to.equal(undefined);
  });

  it('takes the deployment’s simulator for one without an address, and nothing else for it', () => {
    const bare = { ...simulator, baseUrl: null };
    expect(connectionFor(bare, simulator)).to.equal(simulator);
    expect(connectionFor(bare, openai)).to.equal(bare);
    expect(connectionFor(bare, undefined)).to.equal(bare);
  });
});
