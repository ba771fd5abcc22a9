import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

type Arrival = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** Whom a request is counted against: an IPv4 address, or the network that one IPv6 customer has. */
export type ClientAddress = (request: Arrival) => string;

/**
 * The address that a request comes from. X-Forwarded-For is believed as far as trusted proxies wrote it: from its end, up to the first address
 * that is not one of theirs. Throws when a range cannot be read.
 */
export function clientAddressBehind(trustedProxies: readonly string[]): ClientAddress {
  const proxies = new BlockList();
  for (const range of trustedProxies) trust(proxies, range);
  const isProxy = (address: string) => proxies.check(address, familyOf(address));
  return ({ socket, headers }) => {
    let client = plain(socket.remoteAddress ?? '');
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    while (hops.length > 0 && isIP(client) !== 0 && isProxy(client)) {
      const hop = plain((hops.pop() ?? '').trim());
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

/** Without the zone of a link, and an IPv4 address as such also where it is written inside an IPv6 one. */
function plain(address: string): string {
  const [unzoned = ''] = address.split('%', 1);
  return unzoned.replace(/^::ffff:(\d+\.)/i, '$1');
}

/** The first 64 bits: the rest of an IPv6 address is its customer's to choose. */
function networkOf(address: string): string {
  const [left = '', right] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(left), groups(right ?? '')];
  const between = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const first = [...before, ...between, ...after].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
