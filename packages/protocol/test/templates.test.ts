import { expect } from 'chai';
import { parseTemplate } from '#src/templates.js';

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
