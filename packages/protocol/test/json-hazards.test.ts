import { expect } from 'chai';
import { findJsonHazard, type JsonHazard } from '#src/json-hazards.js';

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const cases: [title: string, text: string, hazard: JsonHazard | undefined][] = [
  ['plain values', '{"a":[1,"x",{"b":null}],"c":true}', undefined],
  ['the same key in different objects', '[{"a":1},{"a":2},{"b":{"a":3}}]', undefined],
  ['a string equal to a key', '{"a":"a","b":"a"}', undefined],
  ['brackets, commas and quotes inside strings', '{"a":"}],{\\"a\\":[","b":"\\\\"}', undefined],
  ['a whole surrogate pair', '{"a":"\\ud83d\\ude00 😀"}', undefined],
  ['a repeated key', '{"a":1,"a":2}', 'repeated-key'],
  ['a key repeated in another spelling', '{"a":1,"\\u0061":2}', 'repeated-key'],
  ['a key repeated around a nested object', '{"a":{"x":[1]},"a":2}', 'repeated-key'],
  ['__proto__ as a key', '{"__proto__":{"admin":true}}', 'forbidden-key'],
  ['__proto__ as an escaped key deep inside', '[{"x":{"\\u005f_proto__":1}}]', 'forbidden-key'],
  ['__proto__ as a value', '{"a":"__proto__"}', undefined],
  ['NUL in a value', '{"a":"x\\u0000y"}', 'bad-character'],
  ['NUL in a key', '{"a\\u0000":1}', 'bad-character'],
  ['a lone high surrogate', '{"a":"\\ud83d"}', 'bad-character'],
  ['a lone low surrogate', '["\\ude00x"]', 'bad-character'],
  [
    'large and small numbers',
    '[1e308,-1.5E-400,0,{"a":123456789012345678901234567890}]',
    undefined,
  ],
  ['a number beyond all', '{"a":[0,1e400]}', 'endless-number'],
  ['a negative number beyond all', '-1E+309', 'endless-number'],
  ['a number beyond all in a text', '["1e400"]', undefined],
  ['32 levels', nest(32), undefined],
  ['33 levels', nest(33), 'too-deep'],
  ['5,000 levels', nest(5000), 'too-deep'],
];

describe('findJsonHazard', () => {
  for (const [title, text, hazard] of cases)
    it(`${hazard ? `finds ${hazard} in` : 'accepts'} ${title}`, () => {
      expect(() => void JSON.parse(text)).not.to.throw();
      expect(findJsonHazard(text)).to.equal(hazard);
    });
});
