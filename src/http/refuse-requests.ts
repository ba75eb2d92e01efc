import type { IncomingMessage } from 'node:http';
import { pathOf } from './dialects/dialects.ts';
import { ShellRefusal } from './translate-error.ts';

const closing = { connection: 'close' };

/** Rejects requests that Node.js accepts although they are ambiguous or not HTTP/1.1. Runs before the body is read. */
export function refuseAmbiguousRequest({ httpVersion, headers, headersDistinct }: IncomingMessage): void {
  const encoding = headers['transfer-encoding'];
  // Node.js accepts `gzip, chunked` and passes on the compressed body (RFC 9112 section 6.1).
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked')
    throw new ShellRefusal('malformed', 'The only supported Transfer-Encoding is chunked.', closing);
  const hosts = headersDistinct.host?.length ?? 0;
  // RFC 9112 section 3.2: exactly one. With two, a proxy might route by one and we might read the other.
  if (hosts > 1) throw new ShellRefusal('malformed', `The Host header was sent ${hosts} times.`, closing);
  if (hosts === 0 && httpVersion !== '1.0')
    throw new ShellRefusal('malformed', 'The Host header is missing.', closing);
}

/** Rejects NUL, which PostgreSQL cannot store: without this check it would be an unexpected failure. */
export function refuseNul(url: string): void {
  if (!url.includes('%00')) return;
  if (pathOf(url).includes('%00')) throw new ShellRefusal('badUrl', 'The path contains NUL (%00).');
  throw new ShellRefusal('invalidBody', 'query: contains NUL (%00).');
}
