import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '#lib/errors/api-error.ts';
import { LineRefused } from '#lib/fair-turnstile.ts';
import { type Dialects, pathOf } from './dialects/dialects.ts';
import { tellRequestId } from './identity.ts';
import { translateError } from './translate-error.ts';

/** Default retry delays: the window of a limit, and the time that a database restart takes. */
const RETRY_AFTER_SECONDS: Readonly<Record<number, number>> = { 429: 60, 503: 5 };

export function errorHeaders(error: ApiError): Record<string, string> {
  const { status } = error.entry;
  const retryAfter = error.extra.retryAfterSeconds ?? RETRY_AFTER_SECONDS[status];
  return {
    'cache-control': 'no-store',
    ...(retryAfter !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...error.extra.headers,
  };
}

export function createErrorHandler(dialects: Dialects, publicUrl: string | undefined) {
  return function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = translateError(thrown, dialects.choose(request.url));
    logError(thrown, error, request);
    tellRequestId(request, reply);
    const { contentType, body } = dialects.get(error.dialect).render(error, {
      requestId: request.id,
      path: pathOf(request.originalUrl),
      baseUrl: publicUrl ?? `${request.protocol}://${request.host}`,
    });
    // As bytes, because the response schema of the route would drop members that it does not name.
    return reply
      .status(error.entry.status)
      .headers(errorHeaders(error))
      .type(contentType)
      .send(Buffer.from(JSON.stringify(body)));
  };
}

function logError(thrown: unknown, error: ApiError, request: FastifyRequest): void {
  const { status } = error.entry;
  // A full queue is an expected rejection, not a failure.
  if (status >= 500 && thrown !== error && !(thrown instanceof LineRefused))
    request.log.error({ err: thrown, code: error.code, status }, 'request failed');
  else request.log.debug({ code: error.code, status }, 'request refused');
}
