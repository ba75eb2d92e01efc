import { isIP } from 'node:net';
import { type BlobAddress, parseBlobAddress } from '#lib/blob-address.ts';
import { parseHostAllowList } from '#lib/host-allow-list.ts';
import { BadSecret, BadValue } from './bad-value.ts';

// Parsers for values with their own format. An invalid value throws a message that completes the sentence "NAME …".

/** 32 bytes as hexadecimal digits or base64. */
export const KEY_32 = /^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function parseBasePath(value: string): string {
  if (value !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(value))
    throw new BadValue('must look like /tools/rowpress, without a trailing slash');
  return value;
}

export function parseBlobs(value: string): BlobAddress {
  const parsed = parseBlobAddress(value);
  if (parsed.ok) return parsed.address;
  throw parsed.secret === true ? new BadSecret(parsed.problem) : new BadValue(parsed.problem);
}

/** `false`, the number of proxies in front of the server, or a list of addresses, networks and network names. */
export type TrustProxy = false | number | readonly string[];

/** Network names of proxy-addr. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];
const HOPS = /^[1-9]\d?$/;

export function parseTrustProxy(value: string): TrustProxy {
  if (value === 'false') return false;
  if (HOPS.test(value)) return Number(value);
  const listed = splitList(value);
  if (listed.length > 0 && listed.every((part) => NAMED_NETWORKS.includes(part) || isNetwork(part)))
    return listed;
  throw new BadValue(
    value === 'true'
      ? 'must name the proxies, because any client could set their headers: a comma list of addresses or networks (10.0.0.5, 10.0.0.0/8), or the number of proxies in front of the server (1)'
      : 'must be false, a number of proxies from 1 to 99, or a comma list of addresses or networks',
  );
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const width = isIP(address) === 4 ? 32 : 128;
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width);
  return rest.length === 0 && isIP(address) !== 0 && fits;
}

export function parseTrustedSeals(value: string): string[] {
  const seals = splitList(value);
  if (!seals.every((seal) => KEY_32.test(seal)))
    throw new BadValue('must list public keys, each as 64 hexadecimal digits or as base64');
  return seals;
}

export function parsePublicUrl(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new BadValue('must be an address that starts with http:// or https://');
  return value;
}

export function parseWebhookAllow(value: string): string[] {
  const entries = splitList(value);
  const allowed = parseHostAllowList(entries);
  if (!allowed.ok)
    throw new BadValue(`must list host or host:port; invalid are "${allowed.problems.join('", "')}"`);
  return entries;
}
