import { type DialectSpec, onlyValue } from './dialect-spec.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const COOLDOWNS = new Set<string>(['REPEATED_FAILED_JOBS_COOLDOWN', 'HIGH_FAIL_RATIO_COOLDOWN']);

/** Flat errors `{"code","message"}`; `X-Request-Id` is the caller's when it is usable. */
export const bulkfill: DialectSpec = {
  name: 'bulkfill',
  prefix: '/v1/bulkfill',
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
};
