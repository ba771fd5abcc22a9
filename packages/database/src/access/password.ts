import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/**
 * The cost of a guess: 16 MiB and some tens of milliseconds. A stored hash contains its own cost,
 * so that this one can be raised.
 */
const cost = { N: 16_384, r: 8, p: 5 } as const;
const bytes = 32;

/** The stored form: the cost, the salt and the key, from which the password cannot be recovered. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, text(salt), text(key)].join(':');
}

/**
 * Takes equally long if there is no password, so that timing does not reveal which accounts have
 * one.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (stored ?? decoy).split(':');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), options);
  const same = timingSafeEqual(derived, Buffer.from(key, 'base64url'));
  return stored !== null && same;
}

const decoy = [
  'scrypt',
  cost.N,
  cost.r,
  cost.p,
  text(Buffer.alloc(16)),
  text(Buffer.alloc(bytes)),
].join(':');

function text(buffer: Buffer): string {
  return buffer.toString('base64url');
}

/** The same characters typed on another keyboard give the same bytes. */
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const { N = 0, r = 0 } = options;
  const maxmem = 256 * N * r;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, bytes, { ...options, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
