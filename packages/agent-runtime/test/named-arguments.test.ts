import { expect } from 'chai';
import { namedArguments, namedForServer } from '#src/tools/named-arguments.js';

const text = { type: 'string' };

describe('namedArguments', () => {
  const cases: [what: string, schema: object | undefined, given: object, sent: object][] = [
    ['keeps what is named', { properties: { id: text } }, { id: 'a' }, { id: 'a' }],
    [
      'leaves out what is not, though nothing forbids it',
      { type: 'object', properties: { id: text } },
      { id: 'a', tenant: 'globex' },
      { id: 'a' },
    ],
    ['leaves out everything without a schema', undefined, { tenant: 'globex' }, {}],
    ['leaves out everything where nothing is named', { type: 'object' }, { tenant: 'x' }, {}],
    [
      'keeps more where the schema asks for it',
      { properties: { id: text }, additionalProperties: true },
      { id: 'a', more: { n: 1 } },
      { id: 'a', more: { n: 1 } },
    ],
    [
      'keeps more as the schema describes it',
      { additionalProperties: { type: 'object', properties: { a: text } } },
      { x: { a: '1', b: '2' } },
      { x: { a: '1' } },
    ],
    [
      'looks into objects and lists',
      { properties: { list: { items: { properties: { a: text } } } } },
      { list: [{ a: '1', admin: true }, { admin: true }] },
      { list: [{ a: '1' }, {}] },
    ],
    [
      'takes an object as it is that describes nothing of itself',
      { properties: { metadata: { type: 'object' } } },
      { metadata: { any: { thing: 1 } } },
      { metadata: { any: { thing: 1 } } },
    ],
    [
      'counts names of alternatives and references',
      {
        $ref: '#/$defs/base',
        anyOf: [{ properties: { a: text } }, { properties: { b: text } }],
        if: { properties: { c: text } },
        then: { properties: { d: text } },
        $defs: { base: { properties: { e: text, self: { $ref: '#' } } } },
      },
      { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6', self: { e: '5', f: '6' } },
      { a: '1', b: '2', d: '4', e: '5', self: { e: '5' } },
    ],
    [
      'is not led astray by names of the prototype',
      { properties: { a: text } },
      JSON.parse('{"a":"1","constructor":"x","toString":"y"}') as object,
      { a: '1' },
    ],
    [
      'ends with a schema that refers to itself',
      { allOf: [{ $ref: '#' }], properties: { a: text } },
      { a: '1', b: '2' },
      { a: '1' },
    ],
  ];
  for (const [what, schema, given, sent] of cases)
    it(what, () => {
      const named = namedArguments(
        given as Record<string, unknown>,
        schema as Record<string, unknown> | undefined,
      );
      expect(named).to.deep.equal(sent);
    });
});

describe('namedForServer', () => {
  it('leaves out what the server’s schema does not name', () => {
    const schema = { type: 'object', properties: { id: text } };
    expect(namedForServer({ id: 'a', tenant: 'globex' }, schema)).to.deep.equal({ id: 'a' });
  });

  it('takes everything for a schema that names nothing', () => {
    const given = { any: { thing: 1 } };
    expect(namedForServer(given, { type: 'object' })).to.deep.equal(given);
  });
});
