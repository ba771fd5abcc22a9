import { expect } from 'chai';
import { checkParameterSchema, schemaBounds } from '#src/schema-bounds.js';

function nest(depth: number): object {
  let schema: object = { type: 'string' };
  for (let i = 1; i < depth; i += 1) schema = { type: 'object', properties: { inner: schema } };
  return schema;
}

const accepted: [string, object][] = [
  ['an empty schema', {}],
  [
    'properties with types, enum and required',
    {
      type: 'object',
      properties: { city: { type: 'string', description: 'City' }, unit: { enum: ['C', 'F'] } },
      required: ['city'],
    },
  ],
  ['a list of types', { properties: { a: { type: ['string', 'null'] } } }],
  [
    'arrays and combinations',
    {
      properties: {
        a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      },
      additionalProperties: false,
    },
  ],
  [
    'a reference inside the schema',
    { $defs: { a: { type: 'string' } }, properties: { b: { $ref: '#/$defs/a' } } },
  ],
  ['a plain pattern', { properties: { a: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' } } }],
  [
    'a pattern with groups that repeat plain text',
    { properties: { a: { pattern: '^(?:\\d{3}-)?(ab)+[(+*)]*(\\p{L})+\\(\\+\\)*$' } } },
  ],
  [
    'properties with awkward names',
    { properties: { constructor: { type: 'string' }, type: { type: 'string' } } },
  ],
  ['the deepest nesting allowed', nest(schemaBounds.depth)],
];

const refused: [string, unknown, string][] = [
  ['null', null, ''],
  ['a list', [], ''],
  ['a text', 'object', ''],
  ['a hundred thousand levels', nest(100_000), ''],
  ['another type than object', { type: 'string' }, '/type'],
  ['an unknown type', { properties: { a: { type: 'text' } } }, '/properties/a/type'],
  ['properties that is a list', { properties: [] }, '/properties'],
  ['a property that is not a schema', { properties: { a: 1 } }, '/properties/a'],
  ['required that is not a list of names', { required: [1] }, '/required'],
  ['an enum that is not a list', { properties: { a: { enum: 'x' } } }, '/properties/a/enum'],
  [
    'a remote reference',
    { properties: { a: { $ref: 'http://example.com/s.json' } } },
    '/properties/a/$ref',
  ],
  ['an identity of its own', { $id: 'http://example.com/' }, '/$id'],
  [
    'a pattern that branches under a repetition',
    { properties: { a: { pattern: '^(a|a)*$' } } },
    '/properties/a/pattern',
  ],
  ...['^(?:aa?){100}$', '((a)?){200}b', '(?:a??b)+'].map((pattern): [string, unknown, string] => [
    `the repeated option of ${pattern}`,
    { properties: { a: { pattern } } },
    '/properties/a/pattern',
  ]),
  [
    'a pattern that repeats a repetition',
    { properties: { a: { pattern: '(a+)+' } } },
    '/properties/a/pattern',
  ],
  [
    'a pattern that repeats a repetition in a deeper group',
    { properties: { a: { pattern: '^((a+))+$' } } },
    '/properties/a/pattern',
  ],
  [
    'a pattern that branches in a deeper group under a repetition',
    { properties: { a: { pattern: '(x(a|b))*' } } },
    '/properties/a/pattern',
  ],
  [
    'a dangerous pattern for names',
    { patternProperties: { '(a+)+': {} } },
    '/patternProperties/(a+)+',
  ],
  [
    'a keyword that would hide schemas from these checks',
    { dependencies: { a: { pattern: '(a+)+' } } },
    '/dependencies',
  ],
  ['too many bytes in few characters', { description: '😀'.repeat(schemaBounds.bytes / 4) }, ''],
  ['a broken pattern', { properties: { a: { pattern: '(' } } }, '/properties/a/pattern'],
  ['a long pattern', { properties: { a: { pattern: 'a'.repeat(300) } } }, '/properties/a/pattern'],
  ['anyOf that is not a list', { anyOf: {} }, '/anyOf'],
  ['too large a schema', { description: 'x'.repeat(schemaBounds.bytes) }, ''],
];

describe('checkParameterSchema', () => {
  for (const [title, schema] of accepted)
    it(`accepts ${title}`, () => expect(checkParameterSchema(schema)).to.equal(undefined));

  for (const [title, schema, path] of refused)
    it(`refuses ${title}`, () => expect(checkParameterSchema(schema)?.path).to.equal(path));

  it('refuses nesting one deeper than allowed', () => {
    expect(checkParameterSchema(nest(schemaBounds.depth + 1))?.message).to.match(/deeper/);
  });
});
