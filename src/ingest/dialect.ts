import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { type DialectSpec, onlyValue } from '#http/dialects/dialect-spec.ts';
import type { Ids } from '#lib/ids.ts';
import { ingestErrors } from './errors.ts';

/** The page that explains the problem types (RFC 9457 section 3.1.1). */
const PROBLEMS = '/docs/errors';

/** W3C Trace Context, section 3.2: version "ff" and all-zero ids are invalid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
const CORRELATION_ID = /^[\x21-\x7e]{1,200}$/;

const problemSchema = z
  .object({
    type: z
      .url()
      .describe(
        'Address of an explanation. Its fragment is the code; the responses list the codes of each status.',
      )
      .meta({ pattern: `#(${Object.keys(ingestErrors.codes).join('|')})$` }),
    title: z.string().describe('The same for every problem with this code'),
    status: z.int(),
    detail: z.string().describe('What went wrong and what to do, for people'),
    instance: z.string().describe('The path of the request'),
    trace_id: z.string().describe('The W3C trace id of the request. Quote it in a report.'),
    errors: z
      .array(z.object({ field: z.string(), reason: z.string() }))
      .optional()
      .describe('The invalid members, if one member of the input is invalid'),
  })
  .meta({ id: 'IngestProblem', description: 'An error of Ingest (RFC 9457)' });

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
  identityHeaders: {
    traceparent: {
      required: true,
      description: 'W3C Trace Context: the trace of the caller, or a new one, with the span of this server.',
      schema: { type: 'string' },
      example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
    'X-Correlation-Id': {
      description: 'The `X-Correlation-Id` of the request, if it sent one.',
      schema: { type: 'string' },
      example: '0190a000-0000-7000-8000-000000000001',
    },
  },
  envelope: { mediaType: 'application/problem+json', schema: problemSchema },
};

function traceOf(request: IncomingMessage, ids: Ids): { traceId: string; flags: string } {
  const [, traceId, flags] = TRACEPARENT.exec(onlyValue(request, 'traceparent') ?? '') ?? [];
  if (traceId === undefined || flags === undefined) return { traceId: hex(ids), flags: '00' };
  return { traceId, flags };
}

function hex(ids: Ids): string {
  return ids.randomUuid().replaceAll('-', '');
}
