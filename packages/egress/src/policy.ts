import { isPublic, parseAddress } from './address.js';
import { withoutRootDot, type AllowList } from './allow-list.js';

/** The target is not allowed. The message may be shown to whoever chose it. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

/** Added to the refusal of a private address. */
export const wayOut = 'The operator can allow it with the setting TOOL_EGRESS_ALLOW.';

const schemes = new Set(['http:', 'https:', 'ws:', 'wss:']);
const ordinaryPorts = new Set([80, 443]);
/** Names that no public resolver knows: they lead to this machine, its cluster or its network. */
const privateSuffixes = ['localhost', 'local', 'internal', 'svc', 'lan', 'home.arpa'];

export type Policy = {
  /** Throws EgressRefused for anything that the URL alone reveals. */
  readonly check: (url: string | URL) => URL;
  /** Whether a connection to this address, resolved from this name, may be opened. */
  readonly permits: (host: string, address: string, port: number) => boolean;
};

export function createPolicy(allowed: AllowList): Policy {
  const permits = (host: string, text: string, port: number) => {
    if (allowed.allowsName(host, port)) return true;
    const address = parseAddress(text);
    if (!address) return false;
    return allowed.allowsAddress(address, port) || (isPublic(address) && ordinaryPorts.has(port));
  };
  return {
    permits,
    check(given) {
      const url = parse(given);
      if (!schemes.has(url.protocol)) throw new EgressRefused('Only http and https are allowed.');
      if (url.username !== '' || url.password !== '')
        throw new EgressRefused('URLs with a user name or password are not allowed.');
      const port = portOf(url);
      if (parseAddress(url.hostname) ? permits('', url.hostname, port) : mayResolve(url, port))
        return url;
      throw new EgressRefused(
        `This address is not public, or its port is neither 80 nor 443. ${wayOut}`,
      );
    },
  };

  /**
   * Whether a port is allowed for a resolved address is checked after resolving, because a range
   * allows every port.
   */
  function mayResolve({ hostname }: URL, port: number): boolean {
    const host = withoutRootDot(hostname);
    if (allowed.allowsName(host, port)) return true;
    return host.includes('.') && !privateSuffixes.some((suffix) => host.endsWith(`.${suffix}`));
  }
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' || url.protocol === 'ws:' ? 80 : 443;
}

function parse(url: string | URL): URL {
  if (url instanceof URL) return url;
  try {
    return new URL(url);
  } catch {
    throw new EgressRefused('This is not a URL.');
  }
}
