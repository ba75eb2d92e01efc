import { refuseWith } from '#lib/errors/api-error.ts';
import { type ErrorCatalogue, newKey, permanent, sameKey } from '#lib/errors/catalogue.ts';

/** Every error of Subscribers. Clients match on the codes, so a code is never renamed. */
export const subscribersErrors = {
  dialect: 'subscribers',
  codes: {
    invalid_body: permanent(400, 'The body does not have the expected shape'),
    invalid_json: permanent(400, 'The body is not JSON'),
    invalid_mapping: permanent(400, 'A mapping is not valid'),
    unknown_csv_column: permanent(400, 'A mapping names a column that the CSV does not have'),
    duplicate_mapping: permanent(400, 'A column or a field is mapped more than once'),
    email_mapping_required: permanent(400, 'No column is mapped to email'),
    invalid_csv: permanent(400, 'The CSV cannot be read'),
    upload_expired: permanent(400, 'The upload has expired'),
    invalid_idempotency_key: permanent(400, 'Idempotency-Key is repeated or malformed'),
    invalid_api_key: permanent(401, 'The API key is missing, unknown, expired or revoked'),
    insufficient_scope: permanent(403, 'The key lacks a scope'),
    account_inactive: permanent(403, 'The account is not active'),
    resource_not_found: permanent(404, 'Resource not found'),
    method_not_allowed: permanent(405, 'Method not allowed'),
    request_timeout: sameKey(408, 'The request did not arrive in time'),
    idempotency_key_reused: newKey(409, 'This Idempotency-Key belongs to a different request'),
    resource_conflict: permanent(409, 'The state of the resource does not allow this, or its name is taken'),
    upload_not_ready: sameKey(409, 'The upload has not arrived yet'),
    webhook_subscription_limit_exceeded: permanent(409, 'Too many webhook subscriptions'),
    csv_too_large: permanent(413, 'The CSV is too large'),
    payload_too_large: permanent(413, 'The body is too large'),
    rate_limited: sameKey(429, 'Too many requests'),
    headers_too_large: permanent(431, 'The request headers are too large'),
    internal_error: sameKey(500, 'Unexpected failure'),
    stored_data_damaged: permanent(500, 'Stored data is damaged'),
    service_unavailable: sameKey(503, 'Service temporarily unavailable'),
    storage_full: sameKey(503, 'Storage is full'),
  },
  shell: {
    keyRequired: 'invalid_api_key',
    keyInvalid: 'invalid_api_key',
    keyRevoked: 'invalid_api_key',
    keyExpired: 'invalid_api_key',
    accountInactive: 'account_inactive',
    routeNotFound: 'resource_not_found',
    methodNotAllowed: 'method_not_allowed',
    timeout: 'request_timeout',
    headersTooLarge: 'headers_too_large',
    badUrl: 'resource_not_found',
    malformed: 'invalid_json',
    invalidBody: 'invalid_body',
    payloadTooLarge: 'payload_too_large',
    rateLimited: 'rate_limited',
    internal: 'internal_error',
    unavailable: 'service_unavailable',
    storageFull: 'storage_full',
    damaged: 'stored_data_damaged',
  },
} as const satisfies ErrorCatalogue;

export type SubscribersCode = keyof typeof subscribersErrors.codes;

export const refuse = refuseWith<SubscribersCode>(subscribersErrors);
