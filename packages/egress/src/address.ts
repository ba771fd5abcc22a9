import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/**
 * The well-known prefix of NAT64 gateways: the last four bytes are the IPv4 address that is
 * dialled.
 */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Normalizes an address: an IPv4 address inside an IPv6 one, mapped or behind a NAT64 gateway,
 * counts as the IPv4 address.
 */
export function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(bare)) return undefined;
  const address = ipaddr.process(bare);
  return inRange(address, nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

export function parseRange(text: string): Range | undefined {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
}

export function inRange(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/** All publicly routed IPv6 addresses are in this range; the rest is special or unassigned. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses that look public but lead from a cloud machine to the cloud itself. Other metadata
 * services are in ranges that are not public.
 */
const platforms = [
  // Azure's host service, which hands out certificates and settings of the machine.
  '168.63.129.16/32',
  // IBM Cloud's services, private endpoints and name servers.
  '161.26.0.0/16',
  '166.8.0.0/14',
].map((range) => ipaddr.parseCIDR(range));

/**
 * Whether an address is on the internet: not loopback, private, link-local, shared, multicast, test
 * or reserved, no tunnel, and not a cloud's own.
 */
export function isPublic(address: Address): boolean {
  return (
    address.range() === 'unicast' &&
    (address.kind() === 'ipv4' || inRange(address, globalUnicast)) &&
    !platforms.some((range) => inRange(address, range))
  );
}
