import type { IncomingHttpHeaders } from 'node:http';

/**
 * Evaluates the preconditions of RFC 9110 section 13 for a file with a strong entity tag, in the order of 13.2.2.
 * `If-Match` uses the strong comparison and detects a changed file; `If-None-Match` uses the weak one and avoids
 * sending a cached file again.
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

/** Matches tag by tag, because a tag may contain commas. */
const TAG = /(?:W\/)?"[^"]*"/g;

function names(list: string, isOurs: (tag: string) => boolean): boolean {
  return list.trim() === '*' || (list.match(TAG) ?? []).some(isOurs);
}
