import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

type Arrival = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * The identity that a request is counted against: an IPv4 address, or the network of one IPv6
 * customer.
 */
export type ClientAddress = (request: Arrival) => string;

/**
 * The address that a request comes from. X-Forwarded-For is trusted as far as trusted proxies wrote
 * it: from its end, up to the first address that is not one of theirs. Throws if a range cannot be
 * parsed.
 */
export function clientAddressBehind(trustedProxies: readonly string[]): ClientAddress {
  const proxies = new BlockList();
  for (const range of trustedProxies) trust(proxies, range);
  const isProxy = (address: string) => proxies.check(address, familyOf(address));
  return ({ socket, headers }) => {
    let client = plain(socket.remoteAddress ?? '');
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    while (hops.length > 0 && isIP(client) !== 0 && isProxy(client)) {
      const hop = plain(withoutPort((hops.pop() ?? '').trim()));
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return isIP(client) === 6 ? networkOf(client) : client;
  };
}

function trust(proxies: BlockList, range: string): void {
  const [address = '', bits] = range.split('/');
  if (isIP(address) === 0) throw new Error(`${range} is neither an address nor a range`);
  if (bits === undefined) proxies.addAddress(address, familyOf(address));
  else proxies.addSubnet(address, Number(bits), familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return bracketed ?? dotted ?? hop;
}

/** Drops the zone of a link-local address, and unwraps an IPv4 address inside an IPv6 one. */
function plain(address: string): string {
  const [unzoned = ''] = address.split('%', 1);
  return unzoned.replace(/^::ffff:(\d+\.)/i, '$1');
}

/** The first 64 bits: customers choose the rest of an IPv6 address themselves. */
function networkOf(address: string): string {
  const [left = '', right] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(left), groups(right ?? '')];
  const between = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const first = [...before, ...between, ...after].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
