import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { textOf, TypeFinder } from '#src/core/event-type.js';

const finder = new TypeFinder();

/** The type of a provider's frame. */
function firstType(data: Buffer): string | undefined {
  return finder.first(data, 0, data.length) ? textOf(data, finder.start, finder.end) : undefined;
}

/** The type of a client's frame. */
function onlyType(data: Buffer): string | undefined {
  return finder.only(data, 0, data.length) ? textOf(data, finder.start, finder.end) : undefined;
}

const long = 'A'.repeat(5000);

describe('the type of a frame', () => {
  const cases: [what: string, frame: string, only: string | undefined, first?: string][] = [
    ['first', '{"type":"a","x":1}', 'a'],
    ['late, after long and nested values', `{"x":"${long}","y":[{"type":"n"}],"type":"a"}`, 'a'],
    ['among spaces', ' \t{ "x" : [ ] , "type" : "a" }\r\n', 'a'],
    ['with escapes in its value', '{"type":"session\\u002eupdate"}', 'session.update'],
    ['with escapes in its key', '{"\\u0074\\u0079\\u0070\\u0065":"a"}', 'a'],
    ['after a text that looks like one', '{"x":"\\",\\"type\\":\\"n\\"","type":"a"}', 'a'],
    ['after a text that ends with backslashes', `{"x":"${long}\\\\","type":"a"}`, 'a'],
    ['after a long text with a quote', `{"x":"${long}\\"${long}","type":"a"}`, 'a'],
    ['nested only', '{"x":{"type":"n"}}', undefined],
    ['twice', '{"type":"a","type":"b"}', undefined, 'a'],
    ['twice, the second in escapes', '{"type":"a","\\u0074ype":"b"}', undefined, 'a'],
    ['twice, the second in capitals', '{"type":"a","Type":"b"}', undefined, 'a'],
    ['twice, far apart', `{"type":"a","x":"${long}","type":"b"}`, undefined, 'a'],
    ['a number', '{"type":1}', undefined],
    ['null', '{"type":null}', undefined],
    ['an object', '{"type":{"type":"n"}}', undefined],
    ['with a wrong escape', '{"type":"\\x"}', undefined],
    ['missing', '{}', undefined],
    ['in an array', '[{"type":"n"}]', undefined],
    ['in no JSON', 'type: a', undefined],
    ['in nothing', '', undefined],
    ['in a text that never ends', '{"type":"a', undefined],
    ['in an object that never ends', '{"type":"a"', undefined, 'a'],
    ['followed by more', '{"type":"a"}{"type":"b"}', undefined, 'a'],
    ['without a comma before the next key', '{"type":"a" "x":1}', undefined, 'a'],
    ['without a value', '{"type":}', undefined],
    ['without a colon', '{"type" "a"}', undefined],
    ['behind a value that never ends', '{"x":[1,"type":"a"', undefined],
    ['behind 50,000 brackets', `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)},"type":"a"}`, 'a'],
    ['a name of every object', '{"type":"__proto__"}', '__proto__'],
  ];
  for (const [what, frame, only, first = only] of cases)
    it(`is ${String(only)} for a client and ${String(first)} for a provider: ${what}`, () => {
      expect(onlyType(Buffer.from(frame))).to.equal(only);
      expect(firstType(Buffer.from(frame))).to.equal(first);
    });

  it('agrees with JSON.parse on every object that has one type', () => {
    const frames = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.boolean());
    fc.assert(
      fc.property(frames, ([fields, type, late]) => {
        fc.pre(!Object.keys(fields).some((key) => key.toLowerCase() === 'type'));
        const frame = late ? { ...fields, type } : { type, ...fields };
        expect(onlyType(Buffer.from(JSON.stringify(frame, null, 1)))).to.equal(type);
      }),
      fuzz(100),
    );
  });

  it('never throws, whatever the bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .string({
          unit: fc.constantFrom('{', '}', '[', '"', '"', ':', ',', '\\', 'type', '{"type":"'),
          maxLength: 60,
        })
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, (data) => {
        const [found, first] = [onlyType(Buffer.from(data)), firstType(Buffer.from(data))];
        expect(found === undefined || found === first).to.equal(true);
      }),
      fuzz(100),
    );
  });
});
