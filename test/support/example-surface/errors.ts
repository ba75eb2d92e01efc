import { refuseWith } from '#lib/errors/api-error.ts';
import { type ErrorCatalogue, newKey, permanent, sameKey } from '#lib/errors/catalogue.ts';

export const exampleErrors = {
  dialect: 'example',
  codes: {
    BAD_REQUEST: permanent(400, 'The request is not valid'),
    NO_KEY: permanent(401, 'The API key is missing or not valid'),
    NOT_ALLOWED: permanent(403, 'The account is not active'),
    NOT_FOUND: permanent(404, 'Not found'),
    WRONG_METHOD: permanent(405, 'Method not allowed'),
    TIMEOUT: sameKey(408, 'The request did not arrive in time'),
    KEY_REUSED: newKey(409, 'The Idempotency-Key belongs to a different request'),
    TOO_LARGE: permanent(413, 'The request is too large'),
    SLOW_DOWN: sameKey(429, 'Too many requests'),
    BROKEN: sameKey(500, 'Unexpected failure'),
    UNAVAILABLE: sameKey(503, 'Service temporarily unavailable'),
  },
  shell: {
    keyRequired: 'NO_KEY',
    keyInvalid: 'NO_KEY',
    keyRevoked: 'NO_KEY',
    keyExpired: 'NO_KEY',
    accountInactive: 'NOT_ALLOWED',
    routeNotFound: 'NOT_FOUND',
    methodNotAllowed: 'WRONG_METHOD',
    timeout: 'TIMEOUT',
    headersTooLarge: 'TOO_LARGE',
    badUrl: 'NOT_FOUND',
    malformed: 'BAD_REQUEST',
    invalidBody: 'BAD_REQUEST',
    payloadTooLarge: 'TOO_LARGE',
    rateLimited: 'SLOW_DOWN',
    internal: 'BROKEN',
    unavailable: 'UNAVAILABLE',
    storageFull: 'UNAVAILABLE',
    damaged: 'BROKEN',
  },
} as const satisfies ErrorCatalogue;

export const refuse = refuseWith<keyof typeof exampleErrors.codes>(exampleErrors);
