import { expect } from 'chai';
import fc from 'fast-check';
import { parseTemplate } from '#src/templates.js';

/** What a template says, by an expression that is easy to read and takes quadratic time. */
function written(text: string): string[] {
  return [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, inside = '']) => inside.trim());
}

describe('parseTemplate', () => {
  it('splits text, arguments and secrets', () => {
    expect(parseTemplate('Bearer {{secret:TOKEN}} for {{ city }}!')).to.deep.equal({
      ok: true,
      parts: [
        { kind: 'text', text: 'Bearer ' },
        { kind: 'secret', name: 'TOKEN' },
        { kind: 'text', text: ' for ' },
        { kind: 'argument', name: 'city' },
        { kind: 'text', text: '!' },
      ],
    });
  });

  it('keeps single braces as text', () => {
    expect(parseTemplate('{"a": {"b": 1}}')).to.deep.equal({
      ok: true,
      parts: [{ kind: 'text', text: '{"a": {"b": 1}}' }],
    });
  });

  it('finds what the expression finds, whatever is written', () => {
    const piece = fc.constantFrom('{', '}', '{{', '}}', '{{a}}', '{{secret:B}}', ' ', '\n', 'x');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const template = parseTemplate(text);
        if (!template.ok) return;
        const names = template.parts.flatMap((part) =>
          part.kind === 'text' ? [] : [part.kind === 'secret' ? `secret:${part.name}` : part.name],
        );
        expect(names).to.deep.equal(written(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives up at the first {{ that is never closed, however many follow', () => {
    // Whoever looks for the end of each of them does not come back in time.
    expect(parseTemplate('{'.repeat(1_000_000)).ok).to.equal(false);
  });

  for (const text of [
    '{{}}',
    '{{ }}',
    '{{a b}}',
    '{{secret:}}',
    '{{1st}}',
    '{{x',
    'a {{b}} {{c',
    '{{__proto__.x}}',
  ])
    it(`refuses ${text}`, () => expect(parseTemplate(text).ok).to.equal(false));
});
