import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/**
 * Secrets at rest: AES-256-GCM, stored as version (1 byte), nonce (12), tag (16), ciphertext. The
 * context (the row and field it belongs to) is authenticated, so that a ciphertext copied into
 * another row cannot be opened there. Nothing in it identifies the key: the tag shows whether a key
 * fits, so each is tried in turn.
 */
export type SecretBox = {
  seal(secret: string, context: string): Buffer;
  /** With the current key or any former one. */
  open(sealed: Buffer, context: string): string;
  /** The same secret, sealed with the current key; undefined if it already is. */
  reseal(sealed: Buffer, context: string): Buffer | undefined;
};

const version = 1;

/** Keys in the format of SECRETS_KEY and SECRETS_KEY_PREVIOUS: base64 of 32 bytes each. */
export function createSecretBox(currentKey: string, formerKeys: readonly string[] = []): SecretBox {
  const current = keyOf(currentKey);
  const former = formerKeys.map(keyOf);
  const box: SecretBox = {
    seal: (secret, context) => sealWith(current, secret, context),
    open(sealed, context) {
      for (const key of [current, ...former]) {
        const secret = openWith(key, sealed, context);
        if (secret !== undefined) return secret;
      }
      throw new SecretUnreadable();
    },
    reseal: (sealed, context) =>
      openWith(current, sealed, context) === undefined
        ? box.seal(box.open(sealed, context), context)
        : undefined,
  };
  return box;
}

/** As a key object: Node 24 takes five times as long with bytes. */
function keyOf(base64: string): KeyObject {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== 32) throw new RangeError('A secrets key has 32 bytes.');
  return createSecretKey(key);
}

function sealWith(key: KeyObject, secret: string, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Undefined if another key sealed it, or if it was tampered with. */
function openWith(key: KeyObject, sealed: Buffer, context: string): string | undefined {
  if (sealed[0] !== version || sealed.length < 29) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(13, 29));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

export class SecretUnreadable extends Error {
  constructor() {
    super(
      'A stored secret opens neither with SECRETS_KEY nor with SECRETS_KEY_PREVIOUS. ' +
        'Name the key that it was stored with in SECRETS_KEY_PREVIOUS, or store the secret again.',
    );
    this.name = 'SecretUnreadable';
  }
}

export const secretContext = {
  connection: (connectionId: string) => `connection/${connectionId}`,
  answer: (organizationId: string, key: string) => `answer/${organizationId}/${key}`,
  agent: (agentId: string, name: string) => `agent/${agentId}/${name}`,
  webhook: (webhookId: string) => `webhook/${webhookId}`,
} as const;
