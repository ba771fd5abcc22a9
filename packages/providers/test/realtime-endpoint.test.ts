import { expect } from 'chai';
import { realtimeEndpoint, type RealtimeTarget } from '#src/realtime-endpoint.js';

const cases: [
  what: string,
  target: Partial<RealtimeTarget>,
  url: string | undefined,
  headers: object,
][] = [
  [
    'OpenAI',
    { kind: 'openai' },
    'wss://api.openai.com/v1/realtime?model=m',
    { Authorization: 'Bearer k' },
  ],
  [
    'OpenAI behind another address',
    { kind: 'openai', baseUrl: 'https://proxy.example/openai/v1/' },
    'wss://proxy.example/openai/v1/realtime?model=m',
    { Authorization: 'Bearer k' },
  ],
  [
    'Azure by the origin of its resource',
    { kind: 'azure-openai', baseUrl: 'https://res.openai.azure.com' },
    'wss://res.openai.azure.com/openai/v1/realtime?model=m',
    { 'api-key': 'k' },
  ],
  [
    'a compatible server without encryption, port and key kept',
    { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:8000/v1' },
    'ws://127.0.0.1:8000/v1/realtime?model=m',
    { Authorization: 'Bearer k' },
  ],
  [
    'a server that needs no key',
    { kind: 'simulator', baseUrl: 'http://127.0.0.1:1', secret: null },
    'ws://127.0.0.1:1/realtime?model=m',
    {},
  ],
  [
    'a model whose name needs encoding',
    { kind: 'openai', model: 'a b&c=d' },
    'wss://api.openai.com/v1/realtime?model=a+b%26c%3Dd',
    { Authorization: 'Bearer k' },
  ],
  ['a kind without an address of its own', { kind: 'azure-openai' }, undefined, {}],
];

describe('the endpoint of a realtime session', () => {
  for (const [what, target, url, headers] of cases)
    it(`is ${url ?? 'none'} for ${what}`, () => {
      const endpoint = realtimeEndpoint({
        kind: 'openai',
        baseUrl: null,
        secret: 'k',
        model: 'm',
        ...target,
      });
      expect(endpoint).to.deep.equal(url === undefined ? undefined : { url, headers });
    });
});
