import { expect } from 'chai';
import { redactDeep, redactor, strictRedactor } from '#src/redact.js';

const secret = 'k/9+ü "x"?';

describe('redactor', () => {
  const redact = redactor([secret, 'abc', 'k/9+']);

  const echoes = {
    plain: secret,
    JSON: JSON.stringify(secret),
    'JSON with escaped slashes': JSON.stringify(secret).replaceAll('/', '\\/'),
    'a URL': `?a=${encodeURIComponent(secret)}&b`,
    'a URL in lower case': `?a=${encodeURIComponent(secret).toLowerCase()}&b`,
    'a form': new URLSearchParams({ a: secret }).toString(),
    base64: `<${Buffer.from(secret).toString('base64')}>`,
    base64url: `<${Buffer.from(secret).toString('base64url')}>`,
    hex: `<${Buffer.from(secret).toString('hex')}>`,
    'hex in capitals': `<${Buffer.from(secret).toString('hex').toUpperCase()}>`,
    'a URL in which all is escaped': Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&'),
    XML: 'k/9+ü &quot;x&quot;?',
    'JSON in ASCII': JSON.stringify(secret).replace('ü', '\\u00fc'),
  };
  for (const [name, echo] of Object.entries(echoes))
    it(`finds a secret in ${name}`, () => {
      const redacted = redact(`before ${echo} after`);
      expect(redacted).to.match(/^before .*\[secret\].* after$/);
      expect(redacted).to.not.contain('9');
    });

  for (const encoding of ['base64', 'base64url'] as const)
    it(`finds a secret in ${encoding} wherever it stands in a longer text`, () => {
      const key = 'sk-very-secret-0123456789';
      const find = redactor([key]);
      for (const before of ['', 'a', 'ab', 'abc', 'user:', '{"token":"'])
        for (const after of ['', '"', '"}', '"},', ' and more']) {
          const text = Buffer.from(before + key + after).toString(encoding);
          const [start = '', end = ''] = find(`<${text}>`).split('[secret]');
          const seen = Buffer.from(`${start.slice(1)}${end.slice(0, -1)}`, encoding).toString();
          expect(find(text), text).to.include('[secret]');
          expect(start.length + end.length - 2).to.be.at.most(
            Math.ceil(((before.length + after.length) * 4) / 3) + 6,
          );
          expect(seen).not.to.include('secret');
        }
    });

  it('hides secrets in every text of a value, and leaves the rest of it', () => {
    const value = { a: [`x ${secret}`, 1, null], [secret]: { b: true } };
    expect(redactDeep(value, redact)).to.deep.equal({
      a: ['x [secret]', 1, null],
      '[secret]': { b: true },
    });
  });

  it('reads the secrets when there is a text to search, and once', () => {
    let reads = 0;
    const secrets = {
      *[Symbol.iterator]() {
        reads += 1;
        yield secret;
      },
    };
    const lazy = redactor(secrets);
    expect(reads).to.equal(0);
    expect([lazy(secret), lazy(secret)]).to.deep.equal(['[secret]', '[secret]']);
    expect(reads).to.equal(1);
  });

  it('hides all of a secret of any length, and what starts like a long one', () => {
    const key = Array.from({ length: 1000 }, (_, n) => n.toString(36)).join('');
    for (const length of [63, 64, 65, 127, 128, 129, 200, key.length]) {
      const long = key.slice(0, length);
      expect(redactor([long])(`<${long}>`), `${length}`).to.equal('<[secret]>');
    }
    expect(redactor([key])(`<${key.slice(0, 500)}>`)).to.match(/^<\[secret\].{1,63}>$/);
  });

  it('hides all of two secrets that overlap', () => {
    expect(redactor(['abcdef', 'efgh'])('abcdefgh')).to.equal('[secret]');
  });

  it('hides a few letters, too, if it has to be strict', () => {
    expect(strictRedactor(['a/b', secret])(`a/b a%2Fb ${secret}`)).to.equal(
      '[secret] [secret] [secret]',
    );
  });

  it('leaves other words, and those of a few letters', () => {
    expect(redact('abc k/8+')).to.equal('abc k/8+');
  });
});
