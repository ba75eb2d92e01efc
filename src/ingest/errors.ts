import { refuseWith } from '#lib/errors/api-error.ts';
import { type ErrorCatalogue, permanent, sameKey } from '#lib/errors/catalogue.ts';

/** Every error of Ingest. Clients match on the codes, so a code is never renamed. */
export const ingestErrors = {
  dialect: 'ingest',
  codes: {
    'malformed-request': permanent(400, 'The request cannot be read'),
    'invalid-correlation-id': permanent(400, 'X-Correlation-Id is missing or malformed'),
    unauthenticated: permanent(401, 'The credential is missing or not valid'),
    'account-inactive': permanent(403, 'The account is not active'),
    'cross-warehouse-credential': permanent(403, 'The credential is not valid for that warehouse'),
    'not-found': permanent(404, 'Resource not found'),
    'method-not-allowed': permanent(405, 'Method not allowed'),
    'request-timeout': sameKey(408, 'The request did not arrive in time'),
    'state-conflict': sameKey(409, 'The state of the resource does not allow this'),
    'payload-too-large': permanent(413, 'The body is too large'),
    'certificate-not-presented': permanent(422, 'The connection does not present the client certificate'),
    'business-invalid': permanent(422, 'The envelope breaks a business rule'),
    'rate-limited': sameKey(429, 'Too many requests'),
    'headers-too-large': permanent(431, 'The request headers are too large'),
    'internal-error': sameKey(500, 'Unexpected failure'),
    'stored-data-damaged': permanent(500, 'Stored data is damaged'),
    'service-unavailable': sameKey(503, 'Service temporarily unavailable'),
    'storage-full': sameKey(503, 'Storage is full'),
  },
  shell: {
    keyRequired: 'unauthenticated',
    keyInvalid: 'unauthenticated',
    keyRevoked: 'unauthenticated',
    keyExpired: 'unauthenticated',
    accountInactive: 'account-inactive',
    routeNotFound: 'not-found',
    methodNotAllowed: 'method-not-allowed',
    timeout: 'request-timeout',
    headersTooLarge: 'headers-too-large',
    badUrl: 'malformed-request',
    malformed: 'malformed-request',
    invalidBody: 'malformed-request',
    payloadTooLarge: 'payload-too-large',
    rateLimited: 'rate-limited',
    internal: 'internal-error',
    unavailable: 'service-unavailable',
    storageFull: 'storage-full',
    damaged: 'stored-data-damaged',
  },
} as const satisfies ErrorCatalogue;

export type IngestCode = keyof typeof ingestErrors.codes;

export const refuse = refuseWith<IngestCode>(ingestErrors);
