import { expect } from 'chai';
import { hashApiKey, isApiKey, maskApiKey, newApiKey } from '#src/api-key.js';

describe('API key', () => {
  it('reads parley_<environment>_<random><checksum>', () => {
    expect(newApiKey('live')).to.match(/^parley_live_[0-9A-Za-z]{49}$/);
  });

  it('is different each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newApiKey('live'))).size).to.equal(100);
  });

  it('is recognised by its checksum', () => {
    const key = newApiKey('test');
    expect(isApiKey(key)).to.equal(true);
    for (let at = 12; at < key.length; at += 1) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `changed at ${at}`).to.equal(
        false,
      );
    }
  });

  for (const text of [
    '',
    'parley_live_',
    'sk-123',
    ` ${newApiKey('live')}`,
    newApiKey('live').toUpperCase(),
  ])
    it(`does not recognise ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(isApiKey(text)).to.equal(false);
    });

  it('refuses an environment that would break the format', () => {
    expect(() => newApiKey('Live_1')).to.throw(RangeError);
  });

  it('shows its environment and last four characters only when masked', () => {
    const key = newApiKey('live');
    expect(maskApiKey(key)).to.equal(`parley_live_…${key.slice(-4)}`);
  });

  it('shows the last four characters alone of a key of another form', () => {
    expect(maskApiKey('my_long_and_guarded_secret_1')).to.equal('…et_1');
  });

  it('is stored as a SHA-256', () => {
    expect(hashApiKey('abc').toString('hex')).to.match(/^ba7816bf/);
  });
});
