import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import type { RouteContext } from '#http/route-group.ts';
import {
  acceptedAnswerHeaders,
  documentedReadHeaders,
  documentedWriteHeaders,
  writeAnswerHeaders,
} from './contract.ts';
import type { IngestCode } from './errors.ts';
import type { IngestParts } from './parts.ts';
import { createAnswerOnce, type Write, type Written } from './requests/answer-once.ts';
import { requireCredential } from './requests/partner.ts';

export type IngestApp = Parameters<FastifyPluginAsyncZod<RouteContext>>[0];
type Perform = (request: FastifyRequest, write: Write) => Promise<Written>;

/** How the document names and explains an operation. */
interface Description {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

interface WriteOptions {
  readonly body?: Readonly<Record<string, z.ZodType | Record<string, unknown>>>;
  readonly bodyLimit?: number;
  readonly errors?: readonly IngestCode[];
}

export const TAG = 'Ingest';
const tags = [TAG];
const READ_ERRORS: readonly IngestCode[] = ['not-found', 'cross-warehouse-credential', 'malformed-request'];
const WRITE_ERRORS: readonly IngestCode[] = [
  'invalid-correlation-id',
  'malformed-request',
  'cross-warehouse-credential',
  'not-found',
  'state-conflict',
  'payload-too-large',
  'business-invalid',
];
/** A key, or a registered client certificate (ING5). */
const security = [{ bearer: [] }, { clientCertificate: [] }];

export type RouteKit = ReturnType<typeof createRouteKit>;

/** What the route files of this surface share: guards, replays, and what every read and write documents. */
export function createRouteKit(parts: IngestParts, { guards }: RouteContext) {
  const onRequest = [requireCredential(parts, guards), guards.rateLimit('ingest', 'ingest')];
  const answerOnce = createAnswerOnce(parts);
  return {
    parts,
    /** Every write: correlation id, replay, then `perform`. */
    write: <Schemas extends object>(
      described: Description & Schemas,
      response: Readonly<Record<number, z.ZodType>>,
      perform: Perform,
      { body, bodyLimit = MAX_SMALL_JSON_BYTES, errors = [] }: WriteOptions = {},
    ) => ({
      onRequest,
      bodyLimit, // counted while it is read
      schema: { ...described, tags, response },
      config: {
        errors: [...WRITE_ERRORS, ...errors],
        security,
        documentedHeaders: documentedWriteHeaders,
        documentedResponseHeaders: Object.fromEntries(
          Object.keys(response).map((status) => [
            status,
            { ...writeAnswerHeaders, ...(status === '202' && acceptedAnswerHeaders) },
          ]),
        ),
        ...(body && { documentedBody: body }),
      },
      handler: (request: FastifyRequest, reply: FastifyReply) =>
        answerOnce(request, reply, (first) => perform(request, first)),
    }),
    read: <Response extends z.ZodType, Schemas extends object>(
      described: Description & Schemas,
      response: Response,
    ) => ({
      onRequest,
      schema: { ...described, tags, response: { 200: response } },
      config: { errors: READ_ERRORS, security, documentedHeaders: documentedReadHeaders },
    }),
    idOf: (request: FastifyRequest) => (request.params as { id: string }).id,
  };
}
