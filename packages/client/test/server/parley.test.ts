import { inspect } from 'node:util';
import { expect } from 'chai';
import { methods } from '#src/server/groups.js';
import { Parley, ParleyError, type ParleyOptions } from '#src/server/index.js';
import { failureOf } from './support/scripted-service.js';

const apiKey = 'parley_secret-of-the-test';
const good: ParleyOptions = {
  baseUrl: 'https://parley.example.com',
  apiKey,
  organizationId: '3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11',
};
const withOption = (name: string, value: unknown) => () => new Parley({ ...good, [name]: value });

describe('Parley', () => {
  it('has every method of the contract', () => {
    const parley = new Parley(good);
    const found = Object.entries(parley).map(([group, bound]) => [
      group,
      Object.keys(bound as object),
    ]);
    const told = Object.entries(methods).map(([group, rows]) => [group, Object.keys(rows)]);
    expect(Object.fromEntries(found)).to.deep.equal(Object.fromEntries(told));
  });

  for (const [name, values] of Object.entries({
    apiKey: [undefined, '', 'two words', 'line\nbreak', 'ключ', 7],
    organizationId: [undefined, '', 'a b'],
    baseUrl: [
      undefined,
      '',
      'parley.example.com',
      'ftp://a.example',
      'https://u:p@a.example',
      'https://a.example?x',
      'https://a.example/api/v1/',
    ],
    timeoutMs: [0, -1, Infinity, NaN],
    maxRetries: [-1, 1.5, NaN],
  }))
    for (const value of values)
      it(`is refused with ${name} ${inspect(value)}, and says what to do`, () => {
        expect(withOption(name, value))
          .to.throw(ParleyError, name)
          .with.property('code', 'argument-invalid');
      });

  it('takes an address with a path, with or without a slash, as text or as URL', async () => {
    const asked: string[] = [];
    const fetch: ParleyOptions['fetch'] = (input) => {
      asked.push(input as string);
      return Promise.resolve(Response.json({}));
    };
    for (const baseUrl of [
      'https://a.example/p',
      'https://a.example/p/',
      new URL('https://a.example/p'),
    ])
      await new Parley({ ...good, baseUrl, fetch }).agents.get('x');
    expect(new Set(asked)).to.deep.equal(new Set(['https://a.example/p/api/v1/Agent/x']));
  });

  it('does not show its key, whoever looks at it or at its errors', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const parley = new Parley({ ...good, fetch, maxRetries: 0 });
    const error = await failureOf(parley.agents.get('x'));
    const looks = [parley, parley.agents, parley.agents.list(), error].map((each) =>
      inspect(each, { depth: Infinity, showHidden: true }),
    );
    expect([...looks, JSON.stringify(parley), String(error)].join()).not.to.include(apiKey);
    expect(() => new Parley({ ...good, apiKey: `${apiKey}\n` }))
      .to.throw()
      .with.property('message')
      .that.does.not.include(apiKey);
  });

  describe('in a page', () => {
    before(() => void Object.assign(globalThis, { window: globalThis, document: {} }));
    after(() => {
      for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
    });

    it('is refused, because a key in a page is everybody’s', () => {
      expect(() => new Parley(good)).to.throw(ParleyError, 'your own backend');
    });

    it('works for those who know what they do', () => {
      const knowing = new Parley({ ...good, dangerouslyAllowBrowser: true });
      expect(knowing.agents).to.have.property('list');
    });
  });
});
