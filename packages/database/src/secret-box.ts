import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Secrets at rest: AES-256-GCM, laid out as version (1 byte), nonce (12), tag (16), ciphertext. The context (which row and field it belongs
 * to) is authenticated with it, so that a ciphertext copied into another row does not open there.
 */
export type SecretBox = {
  seal(secret: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
};

const version = 1;

/** The key as SECRETS_KEY has it: base64 of 32 bytes. */
export function createSecretBox(base64Key: string): SecretBox {
  const key = Buffer.from(base64Key, 'base64');
  if (key.length !== 32) throw new RangeError('A secrets key has 32 bytes.');
  return {
    seal(secret, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      if (sealed[0] !== version) throw new SecretUnreadable();
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(13, 29));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        throw new SecretUnreadable();
      }
    },
  };
}

export class SecretUnreadable extends Error {
  constructor() {
    super(
      'A stored secret cannot be read with this SECRETS_KEY. Restore the key that it was stored with.',
    );
    this.name = 'SecretUnreadable';
  }
}

export const secretContext = {
  connection: (connectionId: string) => `connection/${connectionId}`,
  answer: (organizationId: string, key: string) => `answer/${organizationId}/${key}`,
  agent: (agentId: string, name: string) => `agent/${agentId}/${name}`,
} as const;
