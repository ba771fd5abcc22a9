import { expect } from 'chai';
import { argumentsHash, parseArguments } from '#src/tools/arguments.js';

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer', minimum: 0 },
    code: { type: 'string', pattern: '^[A-Z]{3}$' },
    address: { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'] },
  },
  required: ['name'],
  additionalProperties: false,
};
const messageOf = (text: string, schema: Record<string, unknown> | undefined = person) => {
  const parsed = parseArguments(text, schema);
  return parsed.ok ? undefined : parsed.message;
};

describe('parseArguments', () => {
  it('takes what fits, and nothing as an empty object', () => {
    expect(parseArguments('{"name":"Ada","age":36,"code":"ABC"}', person)).to.deep.equal({
      ok: true,
      value: { name: 'Ada', age: 36, code: 'ABC' },
    });
    expect(parseArguments('', undefined)).to.deep.equal({ ok: true, value: {} });
    expect(parseArguments('{"anything":[1]}', undefined).ok).to.equal(true);
  });

  const misfits: [string, RegExp][] = [
    ['{}', /"name"/],
    ['{"name":7}', /name: .*string/],
    ['{"name":""}', /name: /],
    ['{"name":"A","age":-1}', /age: /],
    ['{"name":"A","age":1.5}', /age: .*integer/],
    ['{"name":"A","code":"abc"}', /code: /],
    ['{"name":"A","more":1}', /more: /],
    ['{"name":"A","address":{}}', /address: .*"zip"/],
  ];
  for (const [text, says] of misfits)
    it(`names the field that does not fit in ${text}`, () => {
      expect(messageOf(text)).to.match(says);
    });

  it('says why a text cannot be read, and keeps it storable', () => {
    const unreadable: [string, RegExp][] = [
      ['{', /not JSON/],
      ['[1]', /not a JSON object/],
      ['null', /not a JSON object/],
      ['{"a":1,"a":2}', /twice/],
      ['{"__proto__":{"name":"A"}}', /__proto__/],
      ['{"a":"\\u0000"}', /NUL/],
      ['{"a":"\\ud800"}', /surrogate/],
      [`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, /deep/],
      ['{"a":[{"b":1e400}]}', /number is larger than a double/],
      ['{"a":-1e400}', /number is larger than a double/],
      [`{"a":"${'x'.repeat(70_000)}"}`, /exceed/],
    ];
    for (const [text, says] of unreadable) expect(messageOf(text, undefined)).to.match(says);
    expect(parseArguments('{\0\ud800', undefined).value).to.equal('{\uFFFD');
  });

  it('ends a schema that refers to itself, one that doubles at each step, and one that refers to nothing', () => {
    expect(messageOf('{"a":1}', { $ref: '#' })).to.match(/reasonable time/);
    const definitions: Record<string, unknown> = { last: { type: 'object' } };
    for (let at = 0; at < 40; at += 1) {
      const next = { $ref: at === 39 ? '#/$defs/last' : `#/$defs/d${at + 1}` };
      definitions[`d${at}`] = { allOf: [next, next] };
    }
    expect(messageOf('{}', { $ref: '#/$defs/d0', $defs: definitions })).to.match(/reasonable time/);
    expect(messageOf('{}', { $ref: '#/$defs/none' })).to.equal(undefined);
    const tree = { type: 'object', properties: { child: { $ref: '#' }, n: { type: 'number' } } };
    expect(messageOf('{"child":{"child":{"n":1}}}', tree)).to.equal(undefined);
    expect(messageOf('{"child":{"child":{"n":"1"}}}', tree)).to.match(/child\/child\/n/);
  });

  it('tries a bounded number of patterns', () => {
    const schema = { properties: { a: { items: { type: 'string', pattern: '^a*$' } } } };
    const wrongAt = (place: number) => {
      const a = Array.from({ length: 1000 }, (_, at) => (at === place ? 'b' : 'a'));
      return messageOf(JSON.stringify({ a }), schema);
    };
    expect(wrongAt(0)).to.match(/a\/0/);
    expect(wrongAt(199)).to.match(/a\/199/);
    expect(wrongAt(200)).to.equal(undefined);
  });

  it('does not try patterns that could take for ever', () => {
    const slow = (pattern: string) => ({ properties: { a: { type: 'string', pattern } } });
    const text = JSON.stringify({ a: 'a'.repeat(60_000) });
    for (const pattern of [
      'a*a*a*a*a*a*b',
      'a?'.repeat(60) + 'a'.repeat(60),
      '(a|a)'.repeat(50) + 'b',
      '^a*$',
    ])
      expect(messageOf(text, slow(pattern))).to.equal(undefined);
    expect(messageOf('{"a":"aab"}', slow('^a*$'))).to.match(/a: /);
  });

  it('compares items with a long list of words within its budget', () => {
    const words = Array.from({ length: 3000 }, (_, at) => `w${at}`);
    const schema = { properties: { list: { type: 'array', items: { enum: words } } } };
    const long = JSON.stringify({ list: Array.from({ length: 5000 }, () => 'w2999') });
    expect(messageOf(long, schema)).to.match(/reasonable time/);
    expect(messageOf('{"list":["w2999"]}', schema)).to.equal(undefined);
    expect(messageOf('{"list":["no"]}', schema)).to.match(/list\/0/);
  });

  it('counts the characters of a long text a few times, not as often as a schema likes', () => {
    const often = (count: number) => ({
      properties: { a: { allOf: Array.from({ length: count }, () => ({ maxLength: 60_000 })) } },
    });
    const text = (length: number) => JSON.stringify({ a: 'x'.repeat(length) });
    expect(messageOf(text(60_000), often(1000))).to.match(/reasonable time/);
    expect(messageOf(text(100), often(1000))).to.equal(undefined);
    expect(messageOf(text(60_001), often(20))).to.match(/too long/);
  });
});

describe('argumentsHash', () => {
  it('is equal for equal arguments in any spelling, and differs otherwise', () => {
    const hash = argumentsHash('pay', { to: 'Ada', cents: 5 });
    expect(argumentsHash('pay', JSON.parse('{ "cents": 5, "to": "Ada" }'))).to.equal(hash);
    expect(argumentsHash('pay', { to: 'Ada', cents: 50 })).to.not.equal(hash);
    expect(argumentsHash('pay2', { to: 'Ada', cents: 5 })).to.not.equal(hash);
  });
});
