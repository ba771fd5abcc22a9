import { expect } from 'chai';
import { withLinks } from '#src/widget/safe-link.js';

const links = (text: string) => withLinks(text).flatMap(({ href }) => href ?? []);

describe('addresses in a text', () => {
  it('are links without the sentence’s punctuation, and the text stays whole', () => {
    const text = 'See https://example.com/a(b), or (http://example.org). Bye';
    expect(links(text)).to.deep.equal(['https://example.com/a(b', 'http://example.org/']);
    expect(
      withLinks(text)
        .map((part) => part.text)
        .join(''),
    ).to.equal(text);
  });

  it('are nothing else: no script, no address without a scheme, no host that is none', () => {
    for (const text of ['javascript:alert(1)', 'www.example.com', 'https://', 'xhttps://a.b', ''])
      expect(links(text), text).to.deep.equal([]);
  });

  it('are found in a long text at once', () => {
    expect(links('https://'.repeat(20_000))).to.have.length.below(2);
  });
});
