import { networkInterfaces } from 'node:os';

type Interfaces = ReturnType<typeof networkInterfaces>;

const everywhere = ['0.0.0.0', '::', ''];

/**
 * The host at which another machine reaches what listens on `host` here, as in a URL: the given
 * one, the address that it is bound to, or else the first that the machine has.
 */
export function reachableHost(
  host: string,
  given: string | undefined,
  interfaces: Interfaces = networkInterfaces(),
): string {
  const outside = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal);
  const first = outside.find(({ family }) => family === 'IPv4') ?? outside[0];
  const found = given ?? (everywhere.includes(host) ? (first?.address ?? '127.0.0.1') : host);
  return found.includes(':') ? `[${found}]` : found;
}
