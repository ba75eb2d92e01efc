import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns whether an address is on the public Internet.
 *
 * IPv4: everything except the blocks of IANA's special-purpose registry (RFC 6890), multicast and class E.
 * IPv6: only 2000::/3, the block for global unicast (RFC 4291, 2.4), except documentation and benchmarking. An address that contains an
 * IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP) is rejected, whatever it contains: real receivers do not use such addresses, and each
 * translation could be wrong.
 *
 * The tables are written here because libraries disagree: ipaddr.js classifies `::7f00:1` as unicast, and `net.BlockList` supports neither
 * NAT64 nor 6to4 nor Teredo.
 */
export type AddressVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const closedIpv4 = table({
  '0.0.0.0/8': 'this network (RFC 791)',
  '10.0.0.0/8': 'private (RFC 1918)',
  '100.64.0.0/10': 'carrier-grade NAT (RFC 6598)',
  '127.0.0.0/8': 'loopback (RFC 1122)',
  '169.254.0.0/16': 'link-local (RFC 3927)',
  '172.16.0.0/12': 'private (RFC 1918)',
  '192.0.0.0/24': 'IETF protocol assignments (RFC 6890)',
  '192.0.2.0/24': 'documentation (RFC 5737)',
  '192.31.196.0/24': 'AS112 service (RFC 7535)',
  '192.52.193.0/24': 'AMT service (RFC 7450)',
  '192.88.99.0/24': '6to4 relay (RFC 7526)',
  '192.168.0.0/16': 'private (RFC 1918)',
  '192.175.48.0/24': 'AS112 service (RFC 7534)',
  '198.18.0.0/15': 'benchmarking (RFC 2544)',
  '198.51.100.0/24': 'documentation (RFC 5737)',
  '203.0.113.0/24': 'documentation (RFC 5737)',
  '224.0.0.0/4': 'multicast (RFC 5771)',
  '240.0.0.0/4': 'reserved (RFC 1112)',
});

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

const closedIpv6 = table({
  '2001::/23': 'IETF protocol assignments, Teredo, ORCHID or benchmarking (RFC 2928)',
  '2001:db8::/32': 'documentation (RFC 3849)',
  '2002::/16': '6to4 (RFC 3056)',
  '2620:4f:8000::/48': 'AS112 service (RFC 7534)',
  '3ffe::/16': 'the closed 6bone (RFC 3701)',
  '3fff::/20': 'documentation (RFC 9637)',
});

type Range = readonly [range: ReturnType<typeof ipaddr.parseCIDR>, reason: string];

function table(ranges: Record<string, string>): Range[] {
  return Object.entries(ranges).map(([cidr, reason]) => [ipaddr.parseCIDR(cidr), reason]);
}

export function judgeAddress(address: string): AddressVerdict {
  // A zone (`fe80::1%eth0`) names an interface of this machine, and `isIP` accepts it.
  if (isIP(address) === 0 || address.includes('%')) return refused(`${address} is not an address`);
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return outside(parsed, closedIpv4);
  if (!parsed.match(globalIpv6)) return refused(`${address} is outside 2000::/3`);
  if (isIsatap(parsed as ipaddr.IPv6)) return refused(`${address} is ISATAP (RFC 5214)`);
  return outside(parsed, closedIpv6);
}

function outside(address: ipaddr.IPv4 | ipaddr.IPv6, closed: readonly Range[]): AddressVerdict {
  const hit = closed.find(([range]) => address.match(range));
  return hit === undefined ? { ok: true } : refused(`${address.toString()} is ${hit[1]}`);
}

/** Interface identifier `[0000|0200]:5efe:a.b.c.d`, with any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , group, marker] = address.parts;
  return marker === 0x5efe && (group === 0 || group === 0x200);
}

function refused(reason: string): AddressVerdict {
  return { ok: false, reason };
}
