import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '#src/audit/canonical-json.js';

describe('canonicalJson', () => {
  it('is the same for any order of keys', () => {
    expect(canonicalJson({ b: [1, { d: 1, c: 2 }], a: 'x' })).to.equal(
      canonicalJson({ a: 'x', b: [1, { c: 2, d: 1 }] }),
    );
  });

  it('drops undefined, writes dates as text', () => {
    expect(canonicalJson({ a: undefined, b: new Date(0), c: null })).to.equal(
      '{"b":"1970-01-01T00:00:00.000Z","c":null}',
    );
  });

  it('writes JSON that reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
