import { BlockList, isIP } from 'node:net';

export const MAX_IP_RANGES = 50;

interface Range {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

function readRange(text: string): Range | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  // A zone (fe80::1%eth0) is an interface of one machine, not a range.
  if (version === 0 || address.includes('%')) return undefined;
  const longest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : Number(bits);
  if (prefix > longest) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Parses `10.0.0.0/8`, `2001:db8::/32` or one address into its stored form. Returns undefined if it is not a range. */
export function parseIpRange(text: string): string | undefined {
  const range = readRange(text.trim());
  return range && `${range.address}/${range.prefix}`;
}

/** Stored ranges, parsed. Node's BlockList is used as a set of allowed addresses. */
export class IpRanges {
  readonly #list = new BlockList();

  constructor(ranges: readonly string[]) {
    for (const text of ranges) {
      const range = readRange(text);
      if (range === undefined) throw new Error(`bug: invalid stored IP range ${text}`);
      this.#list.addSubnet(range.address, range.prefix, range.family);
    }
  }

  /** An IPv4 address inside IPv6 (`::ffff:10.1.2.3`) matches the ranges of its IPv4 address. */
  has(address: string | undefined): boolean {
    const version = isIP(address ?? '');
    return version !== 0 && this.#list.check(address ?? '', version === 4 ? 'ipv4' : 'ipv6');
  }
}
