import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

type Asked = Pick<IncomingMessage, 'url' | 'headers'>;

/** How gateways of one deployment recognize each other. */
export type PeerProof = {
  /** Headers for a request that is passed on for a client with this address. */
  headersFor(request: Asked, clientAddress: string): Readonly<Record<string, string>>;
  /** The address of the client; undefined if the request is not from a gateway. */
  clientOf(request: Asked): string | undefined;
};

/** A client's own headers with this prefix are not passed on. */
export const proofPrefix = 'x-parley-peer-';
const names = {
  time: `${proofPrefix}time`,
  client: `${proofPrefix}client`,
  code: `${proofPrefix}code`,
} as const;

const purpose = 'parley gateway to gateway';
/** The clocks of two gateways may differ by this much. */
const maxSkewMs = 60_000;

/**
 * The proof is a code over the request and its time, under a key derived from SECRETS_KEY, which
 * every gateway has. The first key makes proofs, all are accepted: a deployment may be changing its
 * key.
 */
export function createPeerProof(keys: readonly string[], now: () => number = Date.now): PeerProof {
  const secrets = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32)),
  );
  const [current = Buffer.alloc(0)] = secrets;
  return {
    headersFor(request, client) {
      const time = String(now());
      const code = codeOf(current, request, { time, client }).toString('base64url');
      return { [names.time]: time, [names.client]: client, [names.code]: code };
    },
    clientOf(request) {
      const { [names.time]: time, [names.client]: client, [names.code]: code } = request.headers;
      if (typeof time !== 'string' || typeof client !== 'string' || typeof code !== 'string')
        return undefined;
      if (!(Math.abs(now() - Number(time)) <= maxSkewMs)) return undefined;
      const given = Buffer.from(code, 'base64url');
      const isOurs = secrets.some((secret) => {
        const own = codeOf(secret, request, { time, client });
        return own.length === given.length && timingSafeEqual(own, given);
      });
      return isOurs ? client : undefined;
    },
  };
}

function codeOf(
  secret: Buffer,
  { url, headers }: Asked,
  { time, client }: { time: string; client: string },
): Buffer {
  const parts = [time, client, url, headers['sec-websocket-key']];
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}
