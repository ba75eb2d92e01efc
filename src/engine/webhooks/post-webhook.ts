import { Client } from 'undici';
import type { HostAllowList } from '#lib/host-allow-list.ts';
import { type PinnedConnection, pinnedConnection } from './pinned-connection.ts';
import type { ResolveHost } from './resolve-host.ts';
import { type JudgedTarget, judgeAddresses, judgeTarget } from './target-guard.ts';

/**
 * Result of one POST to an untrusted receiver. Whatever the receiver does, the request ends within `timeoutMs` (plus
 * one second to end a started response gracefully), reads at most 64 kB, follows no redirect, uses no proxy, shares no
 * connection with other deliveries, and never throws.
 *
 * Only the status line counts: a 2xx is a success even if the body after it hangs, drips or never ends.
 */
export type PostResult =
  | { readonly ok: true; readonly status: number; readonly bytesRead: number }
  | {
      readonly ok: false;
      /** The status, if one was received. */
      readonly status: number | undefined;
      /** Readable reason: `timeout`, `tls: certificate has expired`, … */
      readonly error: string;
      readonly bytesRead: number;
    };

export interface PostOptions {
  readonly allow: HostAllowList;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
  /** Replaces the trusted roots (tests). */
  readonly ca?: string | undefined;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const POLITE_END_MS = 1_000;
const POLITE_END_BYTES = 16_384;
/** `103 Early Hints` may precede the response; more than a few are an attack. */
const MAX_INFORMATIONAL = 8;

export async function postWebhook(request: WebhookRequest, options: PostOptions): Promise<PostResult> {
  const verdict = judgeTarget(request.url, options.allow);
  if (!verdict.ok) return failed(`target refused: ${verdict.reason}`);
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const addresses = await judgeAddresses(verdict.target, options.resolve, deadline);
  if (deadline.aborted) return failed('timeout: the name was not resolved in time');
  if (!addresses.ok) return failed(`target refused: ${addresses.reason}`);
  if (addresses.addresses.length === 0) return failed('unreachable: the name has no address');
  const connection = pinnedConnection(verdict.target, addresses.addresses, options.ca);
  return exchange(verdict.target, request, connection, deadline);
}

async function exchange(
  { url }: JudgedTarget,
  request: WebhookRequest,
  connection: PinnedConnection,
  deadline: AbortSignal,
): Promise<PostResult> {
  const client = new Client(url.origin, {
    connect: connection.connect,
    maxHeaderSize: 16_384,
    // `deadline` is the only timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // undici's `signal` has no effect while the connection is being opened.
  const expire = () => connection.destroy(new Error('no answer in time'));
  deadline.addEventListener('abort', expire);
  let informational = 0;
  const onInfo = () => {
    informational += 1;
    if (informational > MAX_INFORMATIONAL) connection.destroy(new Error('too many informational responses'));
  };
  try {
    const answer = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: request.headers,
      body: request.body,
      reset: true,
      onInfo,
    });
    const status = answer.statusCode;
    await answer.body
      .dump({ limit: POLITE_END_BYTES, signal: AbortSignal.timeout(POLITE_END_MS) })
      .catch(() => undefined); // The status is known; the end of the body is irrelevant.
    const bytesRead = connection.bytesRead();
    if (status >= 200 && status < 300) return { ok: true, status, bytesRead };
    const redirect = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
    return { ok: false, status, error: `answered ${status}${redirect}`, bytesRead };
  } catch (error) {
    return failed(describe(error, connection, deadline), connection.bytesRead());
  } finally {
    deadline.removeEventListener('abort', expire);
    connection.destroy();
    // Rejects queued requests that have no caller any more.
    client.destroy().catch(() => undefined);
  }
}

function failed(error: string, bytesRead = 0): PostResult {
  return { ok: false, status: undefined, error, bytesRead };
}

const phaseNames = { connecting: 'unreachable', handshake: 'tls', open: 'broken answer' } as const;

function describe(error: unknown, connection: PinnedConnection, deadline: AbortSignal): string {
  const phase = connection.phase();
  if (deadline.aborted) return `timeout: no answer in time (${phase})`;
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const message = first instanceof Error ? first.message || first.name : String(first);
  return `${phaseNames[phase]}: ${message}`.slice(0, 300);
}
