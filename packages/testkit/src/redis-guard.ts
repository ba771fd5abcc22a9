import type { PrivateCa } from './private-ca.js';

/** How a Redis server is protected. */
export type RedisGuard = {
  /** Only accepts TLS, from clients, replicas and other nodes. */
  readonly tls?: PrivateCa | undefined;
  /** Required from clients, replicas and other nodes. */
  readonly password?: string | undefined;
};

export function guardArguments({ tls, password }: RedisGuard, port: number): string[] {
  const secure = tls && [
    ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
    ...[
      '--tls-cert-file',
      tls.certificate,
      '--tls-key-file',
      tls.key,
      '--tls-ca-cert-file',
      tls.ca,
    ],
    ...['--tls-replication', 'yes'],
  ];
  return [
    ...(secure ?? ['--port', String(port)]),
    ...(password === undefined ? [] : ['--requirepass', password, '--masterauth', password]),
  ];
}

export function guardedUrl({ tls, password }: RedisGuard, port: number): string {
  const url = new URL(`${tls ? 'rediss' : 'redis'}://127.0.0.1:${port}`);
  url.password = encodeURIComponent(password ?? '');
  return url.href;
}

/** The testkit's own clients trust the servers that it started. */
export function trusting(url: string): { tls?: { rejectUnauthorized: false } } {
  return url.startsWith('rediss:') ? { tls: { rejectUnauthorized: false } } : {};
}
