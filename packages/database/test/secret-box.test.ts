import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createSecretBox, SecretUnreadable, type SecretBox } from '#src/secrets/secret-box.js';

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
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => box.open(sealed.subarray(0, length), 'connection/1')).to.throw(SecretUnreadable);
  });

  it('refuses a key of another length', () => {
    expect(() => createSecretBox('c2hvcnQ=')).to.throw(RangeError);
    expect(() => createSecretBox(key, ['c2hvcnQ='])).to.throw(RangeError);
  });

  describe('with former keys', () => {
    const keys = ['first', 'second'].map(() => randomBytes(32).toString('base64'));
    const [first, second] = keys.map((former) => createSecretBox(former)) as [SecretBox, SecretBox];
    const rotated = createSecretBox(key, keys);

    it('opens what any of them sealed, in its place only', () => {
      for (const former of [first, second, box]) {
        const sealed = former.seal('s3cret', 'webhook/1');
        expect(rotated.open(sealed, 'webhook/1')).to.equal('s3cret');
        expect(() => rotated.open(sealed, 'webhook/2')).to.throw(SecretUnreadable);
      }
    });

    it('seals with the current one', () => {
      const sealed = rotated.seal('s3cret', 'webhook/1');
      expect(box.open(sealed, 'webhook/1')).to.equal('s3cret');
      expect(() => first.open(sealed, 'webhook/1')).to.throw(SecretUnreadable);
    });

    it('seals anew what another key sealed, and nothing else', () => {
      const resealed = rotated.reseal(second.seal('s3cret ü', 'webhook/1'), 'webhook/1')!;
      expect(box.open(resealed, 'webhook/1')).to.equal('s3cret ü');
      expect(rotated.reseal(resealed, 'webhook/1')).to.equal(undefined);
      expect(() => rotated.reseal(resealed, 'webhook/2')).to.throw(SecretUnreadable);
      expect(() => box.reseal(first.seal('s3cret', 'webhook/1'), 'webhook/1')).to.throw(
        SecretUnreadable,
        /neither with SECRETS_KEY nor with SECRETS_KEY_PREVIOUS/,
      );
    });
  });
});
