import { Cluster, Redis as Server, type ClusterOptions, type CommonRedisOptions } from 'ioredis';
import type { RedisOptions } from './redis-options.js';

/**
 * A client of one server, of the master that the sentinels name, or of a cluster: scripts and
 * BullMQ accept any.
 */
export type Redis = Server | Cluster;

/** Whether one script may touch arbitrary keys, and one server knows all subscribers. */
export function isOneNode(redis: object): boolean {
  return !(redis instanceof Cluster);
}

export type ConnectionOptions = Omit<CommonRedisOptions, 'replyMapping'>;

/** How a client behaves, whatever it connects to. */
export type Manner = {
  readonly connection: ConnectionOptions;
  readonly cluster: ClusterOptions;
  /** Milliseconds until the next attempt to connect; null ends the client. */
  readonly retry: (attempt: number) => number | null;
};

export type Address = { readonly host: string; readonly port: number };

/** A client that connects on request, or on first use. */
export function createClient(options: RedisOptions, manner: Manner): Redis {
  const connection = { ...manner.connection, ...named(options), lazyConnect: true };
  switch (options.mode ?? 'single') {
    case 'cluster':
      return new Cluster(addresses(options.url, 6379), {
        ...manner.cluster,
        lazyConnect: true,
        clusterRetryStrategy: manner.retry,
        // Keeps the host name until the socket is opened, because TLS verifies it.
        dnsLookup: (address, callback) => callback(null, address),
        redisOptions: { ...connection, ...access(options.url) },
      });
    case 'sentinel':
      return new Server({
        ...connection,
        ...sentinels(options, manner.retry),
        retryStrategy: manner.retry,
      });
    case 'single':
      return new Server(options.url, { ...connection, retryStrategy: manner.retry });
  }
}

/**
 * A connection to one server for a subscription. It never reconnects: create another one instead.
 */
export function createConnection(
  options: RedisOptions,
  { connection, attempt }: { connection: ConnectionOptions; attempt: number },
): Server {
  const own = { ...connection, ...named(options), lazyConnect: true, retryStrategy: null };
  if (options.mode === 'sentinel') return new Server({ ...own, ...sentinels(options, () => null) });
  if (options.mode !== 'cluster') return new Server(options.url, own);
  // Every node of a cluster relays messages published on any other.
  const nodes = addresses(options.url, 6379);
  return new Server({ ...own, ...access(options.url), ...nodes[attempt % nodes.length] });
}

/**
 * A connection to one of the addresses in the URL, possibly a sentinel. It ends with the first
 * error.
 */
export function createProbe(
  { url, mode, sentinelPassword }: RedisOptions,
  { connection, address }: { connection: ConnectionOptions; address: Address },
): Server {
  const { tls, ...credentials } = access(url);
  const own = sentinelPassword === undefined ? {} : { password: sentinelPassword };
  return new Server({
    ...connection,
    ...address,
    ...(mode === 'sentinel' ? own : credentials),
    ...(tls && { tls }),
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: false,
  });
}

function sentinels(options: RedisOptions, retry: Manner['retry']) {
  const { url, sentinelMaster, sentinelPassword } = options;
  const { tls, ...credentials } = access(url);
  return {
    ...credentials,
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(sentinelMaster !== undefined && { name: sentinelMaster }),
    db: database(url),
    sentinels: addresses(url, 26379),
    sentinelRetryStrategy: retry,
    sentinelCommandTimeout: 2000,
    // No failoverDetector: if it reports while the client is connecting, ioredis ends that client
    // for good. A frozen master is detected by its silence (socketTimeout). READONLY means that the
    // server was the master until a moment ago: ask the sentinels again, and repeat the command
    // there.
    reconnectOnError: ({ message }: Error) => (message.startsWith('READONLY') ? 2 : false),
  } as const;
}

function named({ name }: RedisOptions): { connectionName?: string } {
  return name === undefined ? {} : { connectionName: name };
}

function urlsOf(url: string): URL[] {
  return url.split(',').map((one) => new URL(one.trim()));
}

function addresses(url: string, defaultPort: number): Address[] {
  return urlsOf(url).map(({ hostname, port }) => ({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? defaultPort : Number(port),
  }));
}

/** Credentials for the Redis servers themselves; all URLs contain the same. */
function access(url: string): { username?: string; password?: string; tls?: object } {
  const [first] = urlsOf(url);
  const { username = '', password = '', protocol } = first ?? {};
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

function database(url: string): number {
  return Number(urlsOf(url)[0]?.pathname.slice(1) ?? 0);
}
