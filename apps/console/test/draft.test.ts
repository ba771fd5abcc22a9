import { expect } from 'chai';
import { adopted, draftOf, sent, settled, typed } from '#src/parts/draft.js';

describe('what is typed into a filter', () => {
  it('stays when the address takes an earlier part of it', () => {
    const draft = typed(sent(draftOf(''), 'plum'), 'plumber');
    const later = adopted(draft, 'plum');
    expect(later.text).to.equal('plumber');
    expect(settled(later)).to.equal('plum');
  });

  it('stays when the address takes several parts, or leaves some out', () => {
    const draft = typed(sent(sent(draftOf(''), 'pl'), 'plum'), 'plumber');
    expect(adopted(adopted(draft, 'pl'), 'plum').text).to.equal('plumber');
    expect(adopted(draft, 'plum')).to.deep.equal({ text: 'plumber', value: 'plum', sent: [] });
  });

  it('is replaced by a value from elsewhere, such as an earlier address', () => {
    const draft = adopted(sent(draftOf('pipe'), 'plumber'), 'plumber');
    expect(adopted(draft, 'pipe')).to.deep.equal(draftOf('pipe'));
    expect(adopted(typed(draft, 'plumbers'), '')).to.deep.equal(draftOf(''));
  });
});
