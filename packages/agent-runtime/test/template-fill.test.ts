import { expect } from 'chai';
import fc from 'fast-check';
import { hasBadCharacter } from '@parley/protocol';
import { fuzz } from '@parley/testkit';
import {
  fillForm,
  fillHeader,
  fillJson,
  fillUrl,
  fillXml,
  plainText,
  type TemplateValues,
} from '#src/tools/template-fill.js';
import { ToolFailure } from '#src/tools/tool.js';

/** As parseArguments lets them through: no NUL, no half of a surrogate pair. */
const word = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...Array.from('"\\{}<>&\'%/?#.:@=+ \n\r,[]')),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .filter((text) => !hasBadCharacter(text));
const value = fc.oneof(
  word,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 2 }),
);
const argumentsOf = fc.record({ a: value, b: value }, { requiredKeys: [] });
const secret = 's3cr3t"}\\&<';
const valuesOf = (given: Record<string, unknown>): TemplateValues => ({
  arguments: given,
  secrets: new Map([['KEY', secret]]),
});
const texts: Record<string, (given: Record<string, unknown>) => unknown> = {
  '{{a}}': ({ a }) => a,
  '{{ b }}': ({ b }) => b,
  '{{secret:KEY}}': () => secret,
};
const placeholder = fc.constantFrom(...Object.keys(texts));
/** Text of a template, without braces and what they would close. */
const literal = fc.constantFrom('', 'x', 'é', '\\', '"', '\\"', 'n', ' ', '👋', '\n');

describe('filling a template', () => {
  it('of JSON keeps its shape, and puts each value exactly where it stands', () => {
    const leaf = fc.oneof(
      fc.record({ before: literal, placeholder, after: literal }),
      placeholder.map((only) => ({ only })),
      fc.record({ text: literal }),
    );
    const shape = fc.array(leaf, { maxLength: 5 });
    fc.assert(
      fc.property(shape, argumentsOf, (leaves, given) => {
        const template = `[${leaves
          .map((each) => {
            if ('only' in each) return each.only;
            if ('text' in each) return JSON.stringify(each.text);
            return `"${inside(each.before)}${each.placeholder}${inside(each.after)}"`;
          })
          .join(',')}]`;
        const expected = leaves.map((each) => {
          if ('only' in each) return texts[each.only]!(given) ?? null;
          if ('text' in each) return each.text;
          return each.before + plainText(texts[each.placeholder]!(given)) + each.after;
        });
        expect(JSON.parse(fillJson(template, valuesOf(given)))).to.deep.equal(expected);
      }),
      fuzz(500),
    );
  });

  it('of a URL changes neither its host nor the number of its segments and parameters', () => {
    const template = 'https://h.example/v1/{{a}}/x/{{b}}?q={{a}}&r={{b}}&k={{secret:KEY}}';
    fc.assert(
      fc.property(argumentsOf, (given) => {
        const filled = attempt(() => new URL(fillUrl(template, valuesOf(given))));
        if (filled === undefined) return;
        expect(filled.origin).to.equal('https://h.example');
        expect(filled.hash).to.equal('');
        expect(filled.pathname.split('/')).to.have.length(5);
        expect(decodeURIComponent(filled.pathname.split('/')[2]!)).to.equal(plainText(given.a));
        expect([...filled.searchParams]).to.deep.equal([
          ['q', plainText(given.a)],
          ['r', plainText(given.b)],
          ['k', secret],
        ]);
      }),
      fuzz(500),
    );
  });

  it('of a header leaves it one line, which fetch takes', () => {
    fc.assert(
      fc.property(argumentsOf, (given) => {
        const filled = attempt(() => fillHeader('Bearer {{a}} {{b}}', valuesOf(given)));
        if (filled === undefined) return;
        expect(new Headers({ x: filled }).get('x')).to.equal(filled.trim());
      }),
      fuzz(500),
    );
  });

  it('of a form adds no field', () => {
    fc.assert(
      fc.property(argumentsOf, (given) => {
        const filled = fillForm('a={{a}}&b={{b}}', valuesOf(given));
        expect([...new URLSearchParams(filled)]).to.deep.equal([
          ['a', plainText(given.a)],
          ['b', plainText(given.b)],
        ]);
      }),
      fuzz(300),
    );
  });

  it('of XML opens no tag and leaves no attribute', () => {
    fc.assert(
      fc.property(argumentsOf, (given) => {
        const filled = fillXml('<x y="{{a}}">{{b}}</x>', valuesOf(given));
        expect(filled.replaceAll(/[^<>"]/g, '')).to.equal('<""><>');
        expect(filled).to.not.match(/&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
      fuzz(300),
    );
  });
});

/** As it stands between the quotes of JSON. */
function inside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What a tool may refuse, it refuses in words for the model. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    expect(error).to.be.instanceOf(ToolFailure);
    return undefined;
  }
}
