import { expect } from 'chai';
import { fill, textsFor } from '#src/widget/texts.js';

describe('the widget’s texts', () => {
  it('are those of the language, whatever its country, and English for others', () => {
    expect(textsFor('de-AT').send).to.equal('Senden');
    expect(textsFor('EN').send).to.equal('Send');
    expect(textsFor('fr').send).to.equal('Send');
    expect(textsFor('').send).to.equal('Send');
  });

  it('have the same gaps in each language, and no text is empty', () => {
    const gaps = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String);
    const german = new Map(Object.entries(textsFor('de')));
    for (const [name, text] of Object.entries(textsFor('en'))) {
      expect(german.get(name), name).to.be.a('string').and.not.equal('');
      expect(gaps(german.get(name)!), name).to.deep.equal(gaps(text));
    }
  });

  it('give way to the page’s own, and ignore what is none', () => {
    const own = { send: 'Go', mute: 3, nonsense: 'x', __proto__: { close: 'x' } };
    const texts = textsFor('en', own);
    expect(texts).to.include({ send: 'Go', mute: 'Mute the microphone', close: 'Close' });
    expect(texts).not.to.have.property('nonsense');
    for (const broken of [null, 'text', 7, []])
      expect(textsFor('en', broken).send).to.equal('Send');
  });

  it('take values as they are', () => {
    expect(fill('{count} of {all}', { count: '$&', all: '{count}' })).to.include('$&');
    expect(fill('{other}', { count: '1' })).to.equal('{other}');
  });
});
