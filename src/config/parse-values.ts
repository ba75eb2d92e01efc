import { isIP } from 'node:net';
import { type BlobAddress, parseBlobAddress } from '../lib/blob-address.ts';
import { parseHostAllowList } from '../lib/host-allow-list.ts';
import { BadSecret, BadValue } from './bad-value.ts';

// Values with a form of their own; a bad one throws what finishes the sentence "NAME …".

/** 32 bytes, in hexadecimal digits or base64. */
export const KEY_32 = /^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function parseBasePath(value: string): string {
  if (value !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(value))
    throw new BadValue('must look like /tools/rowpress, without a slash at the end');
  return value;
}

export function parseBlobs(value: string): BlobAddress {
  const parsed = parseBlobAddress(value);
  if (parsed.ok) return parsed.address;
  throw parsed.secret === true ? new BadSecret(parsed.problem) : new BadValue(parsed.problem);
}

/** The names are those of proxy-addr, which judges the requests. */
export function parseTrustProxy(value: string): string {
  const isProxy = (part: string) => {
    const [address = '', bits, ...rest] = part.split('/');
    const width = isIP(address) === 4 ? 32 : 128;
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width);
    return rest.length === 0 && isIP(address) !== 0 && fits;
  };
  const known =
    ['true', 'false'].includes(value) ||
    splitList(value).every(
      (part) => ['loopback', 'linklocal', 'uniquelocal'].includes(part) || isProxy(part),
    );
  if (!known) throw new BadValue('must be true, false, or a comma list of addresses or networks');
  return value;
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
    throw new BadValue(`must list host or host:port, which "${allowed.problems.join('", "')}" is not`);
  return entries;
}
