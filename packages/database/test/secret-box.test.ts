import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createSecretBox, SecretUnreadable } from '#src/secret-box.js';

const key = randomBytes(32).toString('base64');

describe('secret box', () => {
  const box = createSecretBox(key);

  it('opens what it sealed, and never seals twice alike', () => {
    const sealed = box.seal('s3cret ü', 'connection/1');
    expect(box.open(sealed, 'connection/1')).to.equal('s3cret ü');
    expect(box.seal('s3cret ü', 'connection/1').equals(sealed)).to.equal(false);
    expect(sealed.toString('latin1')).not.to.include('s3cret');
  });

  it('does not open in another place, with another key, changed or cut', () => {
    const sealed = box.seal('secret', 'connection/1');
    const changed = Buffer.from(sealed);
    changed[changed.length - 1]! ^= 1;
    const other = createSecretBox(randomBytes(32).toString('base64'));
    expect(() => box.open(sealed, 'connection/2')).to.throw(SecretUnreadable);
    expect(() => other.open(sealed, 'connection/1')).to.throw(SecretUnreadable);
    expect(() => box.open(changed, 'connection/1')).to.throw(SecretUnreadable);
    expect(() => box.open(Buffer.alloc(0), 'connection/1')).to.throw(SecretUnreadable);
    expect(() => box.open(Buffer.from([2, 1, 2]), 'connection/1')).to.throw(SecretUnreadable);
  });

  it('refuses a key of another length', () => {
    expect(() => createSecretBox('c2hvcnQ=')).to.throw(RangeError);
  });
});
