import { RowpressError } from './rowpress-error.ts';

type Fetch = typeof globalThis.fetch;

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Headers that a link needs. Keys and request ids are for the server alone. */
const FOR_LINKS = ['accept', 'range', 'if-range'];

export interface Followed {
  readonly response: Response;
  /** The response is not from the server that the request was sent to. */
  readonly handedOff: boolean;
}

/**
 * Follows the redirects of a GET that was sent with `redirect: 'manual'`. The headers of the request are repeated at the same
 * origin; a signed link and another origin receive no key.
 */
export async function followRedirects(fetch: Fetch, url: string, init: RequestInit): Promise<Followed> {
  let at = url;
  let handedOff = false;
  let response = await fetch(at, init);
  for (let count = 0; count < MAX_REDIRECTS; count += 1) {
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
    if (location === null) break;
    await response.body?.cancel();
    at = new URL(location, at).href;
    handedOff ||= isSigned(at) || new URL(at).origin !== new URL(url).origin;
    const headers = Object.entries(init.headers as Record<string, string>);
    response = await fetch(at, {
      ...init,
      headers: Object.fromEntries(headers.filter(([name]) => !handedOff || FOR_LINKS.includes(name))),
    });
  }
  return { response, handedOff };
}

/** A presigned URL is its own permission. A store rejects a request with two. */
const isSigned = (url: string) => new URL(url).searchParams.has('X-Amz-Signature');

/** An object store rejects an expired link with 403 and a body of its own. The server makes a new link for each request. */
export function isRejectedLink({ status, code }: RowpressError): boolean {
  return status === 403 && code === 'HTTP_403';
}

export function rejectedLink({ requestId }: RowpressError): RowpressError {
  return new RowpressError('The object store rejected the link of the download. It may have expired.', {
    code: 'LINK_REJECTED',
    status: 403,
    retry: 'same-key',
    requestId,
  });
}
