import { expect } from 'chai';
import { offsetOf, parseSearch, stringifySearch, texts } from '#src/search.js';

describe('the address of a page', () => {
  it('keeps what a page shows, as texts', () => {
    const search = { q: 'a&b=1', offset: '50', empty: '' };
    expect(stringifySearch(search)).to.equal('?q=a%26b%3D1&offset=50');
    expect(parseSearch('?q=a%26b%3D1&offset=50')).to.deep.equal({ q: 'a&b=1', offset: '50' });
    expect(stringifySearch({})).to.equal('');
  });

  it('gives a page only what the page knows', () => {
    expect(texts('q', 'agent')({ q: 'x', agent: '', other: 'y', __proto__: 'z' })).to.deep.equal({
      q: 'x',
    });
  });

  it('begins at the beginning for anything that is no place in a list', () => {
    expect([undefined, '', '-1', '1.5', 'x', '1e99', '50'].map(offsetOf)).to.deep.equal([
      0, 0, 0, 0, 0, 0, 50,
    ]);
  });
});
