import type { IncomingHttpHeaders } from 'node:http';

/**
 * The preconditions of RFC 9110 section 13 for a file with a strong entity tag, in their order (13.2.2): `If-Match`
 * is compared strongly and guards against a changed file, `If-None-Match` weakly and saves sending a known one.
 */
export type Precondition = 'met' | 'failed' | 'notModified';

export function judgePreconditions(headers: IncomingHttpHeaders, etag: string): Precondition {
  const match = headers['if-match'];
  if (match !== undefined && !names(match, (tag) => tag === etag)) return 'failed';
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && names(noneMatch, (tag) => tag.replace(/^W\//, '') === etag))
    return 'notModified';
  return 'met';
}

/** A tag may hold commas, so the list is read tag by tag. */
const TAG = /(?:W\/)?"[^"]*"/g;

function names(list: string, isOurs: (tag: string) => boolean): boolean {
  return list.trim() === '*' || (list.match(TAG) ?? []).some(isOurs);
}
