import { inRange, parseAddress, parseRange, type Address, type Range } from './address.js';

/**
 * What an operator can allow although it is private: a host or a range with every port, or a host
 * with one port.
 */
export type EgressEntry =
  | { readonly kind: 'name'; readonly name: string; readonly port: number | null }
  | { readonly kind: 'range'; readonly range: Range; readonly port: number | null };

export type AllowList = {
  /** Whether the operator named this host, which may then be reached wherever it is. */
  allowsName(name: string, port: number): boolean;
  allowsAddress(address: Address, port: number): boolean;
};

const name = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*$/;

export function parseEgressEntry(entry: string): EgressEntry | undefined {
  const text = entry.trim().toLowerCase();
  const range = parseRange(text);
  if (range) return { kind: 'range', range, port: null };
  const [, host = text, digits] = /^(\[.*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return undefined;
  const address = parseAddress(host);
  if (address)
    return { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128], port };
  const written = withoutRootDot(host);
  // If the last label is numeric, a URL parser reads the whole name as an address.
  return name.test(written) && !/(?:^|\.)[0-9]+$/.test(written)
    ? { kind: 'name', name: written, port }
    : undefined;
}

export function createAllowList(entries: readonly string[]): AllowList {
  const parsed = entries.map((entry) => {
    const result = parseEgressEntry(entry);
    if (!result) throw new RangeError(`"${entry}" is not a host, a range or host:port.`);
    return result;
  });
  const onPort = (port: number) =>
    parsed.filter((entry) => entry.port === null || entry.port === port);
  return {
    allowsName: (host, port) =>
      onPort(port).some((entry) => entry.kind === 'name' && entry.name === withoutRootDot(host)),
    allowsAddress: (address, port) =>
      onPort(port).some((entry) => entry.kind === 'range' && inRange(address, entry.range)),
  };
}

/** `host.` and `host` are the same name. */
export function withoutRootDot(host: string): string {
  return host.replace(/\.$/, '');
}
