import ipaddr from 'ipaddr.js';

/**
 * Returns the group of addresses that one client can use: an IPv4 address alone, the /64 network of an IPv6 address
 * (RFC 6177: a site has at least that many). Limits that count single IPv6 addresses are easily evaded.
 */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const { parts } = parsed as ipaddr.IPv6;
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
