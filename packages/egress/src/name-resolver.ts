import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type NameResolver = {
  readonly resolve: Resolve;
  /** Whoever still waits for an answer gets none. */
  cancel(): void;
};

/** With one name server, this ends before the connection's own timeout. */
const patience = { timeout: 3000, tries: 2 } as const;
/** The name does not exist, has no address of this family, or cannot exist. */
const notFound = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Asks the machine's name servers, without /etc/hosts and search domains. dns.lookup would occupy
 * one of libuv's few threads for as long as a server does not answer, and a handful of such names
 * would keep the whole process from resolving any.
 */
export function createNameResolver(servers?: readonly string[]): NameResolver {
  const pending = new Set<Resolver>();
  const find = async (host: string, { family }: LookupAllOptions) => {
    // A new one each time, because it reads once which name servers there are.
    const resolver = new Resolver(patience);
    if (servers) resolver.setServers(servers);
    pending.add(resolver);
    const answers = await Promise.allSettled([
      family === 6 || family === 'IPv6' ? [] : resolver.resolve4(host),
      family === 4 || family === 'IPv4' ? [] : resolver.resolve6(host),
    ]);
    pending.delete(resolver);
    const addresses = answers.flatMap((answer, index) =>
      answer.status === 'rejected'
        ? []
        : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
    );
    const failures = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as Failure] : [],
    );
    return { error: addresses.length > 0 ? null : unresolved(host, failures), addresses };
  };
  return {
    resolve(host, options, callback) {
      void find(host, options).then(({ error, addresses }) => callback(error, addresses));
    },
    cancel() {
      for (const resolver of pending) resolver.cancel();
    },
  };
}

type Failure = NodeJS.ErrnoException;

/** With the codes of dns.lookup: those of name servers look like failures of the host itself. */
function unresolved(host: string, failures: readonly Failure[]): Failure {
  const unanswered = failures.find(({ code = '' }) => !notFound.has(code));
  return unanswered
    ? Object.assign(
        new Error(`No name server answered for ${host}: ${unanswered.message}`, {
          cause: unanswered,
        }),
        { code: 'EAI_AGAIN' },
      )
    : Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' });
}
