import { toCamel } from './camel-case.ts';
import { retryOfStatus } from './retry-of-status.ts';
import { RETRY_TABLE } from './retry-table.ts';
import { type Retry, RowpressError, type Surface } from './rowpress-error.ts';
import type { Call } from './transport.ts';

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly trace_id?: string;
  readonly retry_after_seconds?: number;
}

/** Returns the error of a response in any of the three formats, or the response if the call accepts it as a result. */
export async function readError(
  call: Call,
  requestId: string,
  response: Response,
): Promise<RowpressError | Response> {
  const { status, headers } = response;
  const text = await response.text();
  const body = parse(text);
  if (call.accepts?.(status, body) === true) return new Response(text, { status, headers });
  // A response that ends early is a broken connection, not an error of the server: `parse` gives an empty object then.
  const inner = body.error ?? body;
  const code = inner.code ?? body.type?.split('#')[1] ?? `HTTP_${status}`;
  const { code: _, message: __, error: ___, ...rest } = { ...body, ...body.error };
  return new RowpressError(inner.message ?? body.detail ?? body.title ?? `The server answered ${status}.`, {
    code,
    status,
    retry: retryOf(call.surface, code, status),
    requestId:
      headers.get('x-request-id') ??
      headers.get('x-mailrith-request-id') ??
      body.trace_id ??
      traceOf(headers) ??
      requestId,
    requestKey: call.key,
    retryAfterSeconds: body.retry_after_seconds ?? retryAfter(headers),
    details: toCamel(rest),
  });
}

/** By the error table; by the status if the table does not list the code. */
export function retryOf(surface: Surface, code: string, status: number): Retry {
  const table = RETRY_TABLE[surface];
  return (Object.hasOwn(table, code) ? table[code] : undefined) ?? retryOfStatus(status);
}

function parse(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return body !== null && typeof body === 'object' ? body : {};
  } catch {
    return {};
  }
}

/** `Retry-After` in seconds; it may also be a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

const traceOf = (headers: Headers): string | undefined => headers.get('traceparent')?.split('-')[1];
