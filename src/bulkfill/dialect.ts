import { type DialectSpec, objectSchema, onlyValue } from '#http/dialects/dialect-spec.ts';
import { bulkfillErrors, cooldownCodes } from './errors.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const COOLDOWNS = new Set<string>(Object.values(cooldownCodes));

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
  envelope(codes) {
    const text = { type: 'string' };
    const properties = {
      code: { type: 'string', enum: codes },
      message: text,
      ...(codes.some((code) => COOLDOWNS.has(code)) && { retry_after_seconds: { type: 'integer' } }),
      ...(codes.includes('IDEMPOTENCY_KEY_PAYLOAD_MISMATCH') && {
        differs_in: { type: 'array', items: text },
      }),
    };
    return { mediaType: 'application/json', schema: objectSchema(properties, ['code', 'message']) };
  },
};
