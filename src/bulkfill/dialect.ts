import { z } from 'zod';
import { type DialectSpec, onlyValue } from '#http/dialects/dialect-spec.ts';
import { type BulkfillCode, bulkfillErrors, cooldownCodes } from './errors.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const COOLDOWNS = new Set<string>(Object.values(cooldownCodes));

const errorSchema = z
  .object({
    code: z.enum(Object.keys(bulkfillErrors.codes) as BulkfillCode[]).meta({
      id: 'BulkFillErrorCode',
      description: 'What went wrong. The responses list the codes of each status.',
    }),
    message: z.string().describe('What went wrong and what to do, for people'),
    retry_after_seconds: z.int().optional().describe('Only with a cooldown: whole seconds until it ends'),
    differs_in: z
      .array(z.string())
      .optional()
      .describe('Only with IDEMPOTENCY_KEY_PAYLOAD_MISMATCH: the fields that differ from the first request'),
  })
  .meta({ id: 'BulkFillError', description: 'An error of Bulk Fill' });

/** Bulk Fill errors are flat: `{"code","message"}`. A valid `X-Request-Id` of the caller becomes the request id. */
export const bulkfillDialect: DialectSpec = {
  title: 'Bulk Fill',
  prefix: '/v1/bulkfill',
  errors: bulkfillErrors,
  documented: true,
  identify(request, ids) {
    const given = onlyValue(request, 'x-request-id');
    const id = given !== undefined && REQUEST_ID.test(given) ? given : `trace-${ids.randomUuid()}`;
    return { id, headers: { 'x-request-id': id } };
  },
  render(error) {
    const pause = COOLDOWNS.has(error.code) ? { retry_after_seconds: error.extra.retryAfterSeconds } : {};
    return {
      contentType: 'application/json; charset=utf-8',
      body: { code: error.code, message: error.message, ...pause, ...error.extra.members },
    };
  },
  pointAt: () => ({}),
  identityHeaders: {
    'X-Request-Id': {
      required: true,
      description:
        'Id of this request: the valid `X-Request-Id` of the caller, otherwise a new one. Quote it in a report.',
      schema: { type: 'string' },
      example: 'trace-4d0c1a52-6c0e-4f0a-9a53-0f3f0f4f7a11',
    },
  },
  envelope: { mediaType: 'application/json', schema: errorSchema },
};
