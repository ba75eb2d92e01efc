import type { IncomingMessage } from 'node:http';
import { type DialectSpec, objectSchema, onlyValue } from '#http/dialects/dialect-spec.ts';
import type { Ids } from '#lib/ids.ts';
import { ingestErrors } from './errors.ts';

/** The page that explains the problem types (RFC 9457 section 3.1.1). */
const PROBLEMS = '/docs/errors';

/** W3C Trace Context, section 3.2: version "ff" and all-zero ids are invalid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
const CORRELATION_ID = /^[\x21-\x7e]{1,200}$/;

/** Ingest errors are RFC 9457 problems. The W3C trace id identifies the request. */
export const ingestDialect: DialectSpec = {
  title: 'Ingest',
  prefix: '/wms-ingest/v1',
  errors: ingestErrors,
  documented: true,
  identify(request, ids) {
    const { traceId, flags } = traceOf(request, ids);
    const correlationId = onlyValue(request, 'x-correlation-id');
    // The response contains our own span, so that the caller's tracing can link to it.
    const span = hex(ids)
      .slice(0, 16)
      .replace(/^0{16}$/, '1'.padStart(16, '0'));
    const headers: Record<string, string> = { traceparent: `00-${traceId}-${span}-${flags}` };
    if (correlationId !== undefined && CORRELATION_ID.test(correlationId))
      headers['x-correlation-id'] = correlationId;
    return { id: traceId, headers };
  },
  render(error, { requestId, path, baseUrl }) {
    return {
      contentType: 'application/problem+json',
      body: {
        type: `${baseUrl}${PROBLEMS}#${error.code}`,
        title: error.entry.title,
        status: error.entry.status,
        detail: error.message,
        instance: path,
        trace_id: requestId,
        ...error.extra.members,
      },
    };
  },
  pointAt: (field, reason) => ({ errors: [{ field, reason }] }),
  envelope(codes) {
    const text = { type: 'string' };
    const properties = {
      type: { type: 'string', format: 'uri', pattern: `#(${codes.join('|')})$` },
      title: text,
      status: { type: 'integer' },
      detail: text,
      instance: text,
      trace_id: text,
    };
    return {
      mediaType: 'application/problem+json',
      schema: objectSchema(properties, Object.keys(properties)),
    };
  },
};

function traceOf(request: IncomingMessage, ids: Ids): { traceId: string; flags: string } {
  const [, traceId, flags] = TRACEPARENT.exec(onlyValue(request, 'traceparent') ?? '') ?? [];
  if (traceId === undefined || flags === undefined) return { traceId: hex(ids), flags: '00' };
  return { traceId, flags };
}

function hex(ids: Ids): string {
  return ids.randomUuid().replaceAll('-', '');
}
