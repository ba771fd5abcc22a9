/** The apps that read a setting. */
export const published = ['api', 'realtime-gateway', 'provider-simulator', 'standalone'] as const;
export const processes = [...published, 'worker'] as const;
export const front = ['api', 'realtime-gateway', 'standalone'] as const;
export const rest = ['api', 'standalone'] as const;
export const gateway = ['realtime-gateway', 'standalone'] as const;
export const deployed = ['api', 'realtime-gateway'] as const;
export const stored = [...front, 'worker'] as const;
export const storedElsewhere = [...deployed, 'worker'] as const;

export const port = { kind: 'integer', min: 0, max: 65_535 } as const;
/** setTimeout turns a delay above 2^31 - 1 ms into 1 ms. */
export const seconds = { kind: 'integer', min: 1, max: 2_147_483 } as const;
export const perMinute = { kind: 'integer', min: 1, max: 1_000_000 } as const;
export const onOff = { kind: 'boolean' } as const;
export const text = { kind: 'string' } as const;
export const httpBase = { kind: 'url', schemes: ['http', 'https'], base: true } as const;
/**
 * A host name, an address, a range, or a host or address with a port; the egress guard parses it
 * further.
 */
export const egressEntry = {
  pattern:
    /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?(?::\d{1,5})?|\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2}|\[[0-9a-f:.]+\](?::\d{1,5})?|[0-9a-f.]*:[0-9a-f:.]*(?:\/\d{1,3})?)$/i,
  accepts: 'hosts, ranges or host:port, such as llm.internal, 10.0.0.0/8 or 10.0.0.5:8000',
} as const;
export const mailDomain = {
  pattern: /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i,
  accepts: 'domains, such as example.com',
} as const;
export const addressRange = {
  pattern: /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?|[0-9a-f.]*:[0-9a-f:.]*(?:\/\d{1,3})?)$/i,
  accepts: 'addresses or ranges, such as 10.0.0.0/8 or fd00::/8',
} as const;
/** A 32-byte key uses only four bits of its last base64 character. */
export const secretsKeys = {
  pattern: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  accepts: 'keys, each base64 of 32 bytes',
} as const;
export const origin = {
  pattern: /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]-]+$/,
  accepts: 'origins as a browser sends them, such as https://app.example.com',
} as const;
