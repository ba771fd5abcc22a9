import { expect } from 'chai';
import { hashPassword, verifyPassword } from '#src/access/password.js';

describe('a password', () => {
  it('is recognised by its hash, and no other one is', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', stored)).to.equal(true);
    for (const wrong of ['Correct horse', 'correct horse ', '', 'x'.repeat(1000)])
      expect(await verifyPassword(wrong, stored)).to.equal(false);
  });

  it('is the same however its accents were typed', async () => {
    const stored = await hashPassword('caf\u00e9 au lait');
    expect(await verifyPassword('cafe\u0301 au lait', stored)).to.equal(true);
  });

  it('never fits an account that has none', async () => {
    for (const tried of ['', 'x', '\0']) expect(await verifyPassword(tried, null)).to.equal(false);
  });

  it('is checked at the cost that its hash names', async () => {
    const [, , , , salt, key] = (await hashPassword('p')).split(':');
    expect(await verifyPassword('p', ['scrypt', 16_384, 8, 5, salt, key].join(':'))).to.equal(true);
    expect(await verifyPassword('p', ['scrypt', 1024, 8, 1, salt, key].join(':'))).to.equal(false);
  });
});
