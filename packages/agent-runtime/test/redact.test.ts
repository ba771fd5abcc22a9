import { expect } from 'chai';
import { redactor } from '#src/redact.js';

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
  };
  for (const [name, echo] of Object.entries(echoes))
    it(`finds a secret in ${name}`, () => {
      const redacted = redact(`before ${echo} after`);
      expect(redacted).to.match(/^before .*\[secret\].* after$/);
      expect(redacted).to.not.contain('9');
    });

  it('leaves other words, and those of a few letters', () => {
    expect(redact('abc k/8+')).to.equal('abc k/8+');
  });
});
