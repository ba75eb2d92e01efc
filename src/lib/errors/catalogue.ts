/**
 * Every error that can leave the system. A dialect is the language a route group answers in; its codes are
 * wire values that clients match on, so a code is never renamed. `docs/errors.md` is generated from here.
 *
 * `retryable` answers the client's question "may the very same request succeed later?".
 */
export type Dialect = 'bulkfill' | 'subscribers' | 'ingest' | 'console';
/** The dialects of the public contracts, whose routes are entered with an API key. */
export type PublicDialect = Exclude<Dialect, 'console'>;

export interface CatalogueEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly title: string;
}

const no = (status: number, title: string): CatalogueEntry => ({ status, retryable: false, title });
const later = (status: number, title: string): CatalogueEntry => ({ status, retryable: true, title });

const bulkfill = {
  BF_EXPORT_API_KEY_REQUIRED: no(401, 'No API key was sent as a Bearer token'),
  BF_EXPORT_API_KEY_INVALID: no(401, 'The API key is not valid'),
  BF_EXPORT_API_KEY_REVOKED: no(403, 'The API key was revoked'),
  BF_EXPORT_API_KEY_EXPIRED: no(403, 'The API key has expired'),
  BF_EXPORT_API_KEY_INACTIVE: no(403, 'The account is not active'),
  EXPORT_QUOTA_EXCEEDED: no(403, 'The rows of this job exceed what is left of the monthly quota'),
  ROWS_FROM_NOT_ALLOWED: no(403, 'The API key may not read rows of that surface'),
  INVALID_IDEMPOTENCY_KEY: no(400, 'Idempotency-Key is missing, repeated or malformed'),
  INVALID_MULTIPART: no(400, 'The request is not readable multipart form data'),
  MISSING_FIELD: no(400, 'A required field is missing'),
  UNKNOWN_FIELD: no(400, 'A field is not known'),
  DUPLICATE_FIELD: no(400, 'A field was sent more than once'),
  INVALID_FIELD: no(400, 'A field has a value that is not allowed'),
  ROW_INPUT_CONFLICT: no(400, 'Exactly one row input is needed'),
  INVALID_ROWS_JSON: no(400, 'rows_json is not an array of flat objects'),
  INVALID_ASSETS: no(400, 'The file of pictures cannot be used'),
  INVALID_CSV: no(400, 'The CSV file cannot be read'),
  INVALID_FILENAME_COLUMNS: no(400, 'filename_columns is not a JSON array of strings'),
  TOO_MANY_FILENAME_COLUMNS: no(400, 'filename_columns names more than three columns'),
  INVALID_WEBHOOK_URL: no(400, 'webhook_url is not a public https address'),
  INVALID_JOB_ID: no(400, 'The job id is not a UUID'),
  EXPORT_JOB_NOT_FOUND: no(404, 'No such job'),
  EXPORT_DELIVERY_NOT_FOUND: no(404, 'No active delivery for this job'),
  EXPORT_INPUT_GONE: no(404, 'The inputs of this job are no longer kept'),
  ROUTE_NOT_FOUND: no(404, 'No such route'),
  METHOD_NOT_ALLOWED: no(405, 'This route does not take that method'),
  REQUEST_TIMEOUT: later(408, 'The request did not arrive in time'),
  IDEMPOTENCY_KEY_PAYLOAD_MISMATCH: no(409, 'This Idempotency-Key stands for a different request'),
  EXPORT_JOB_SETTLED: no(409, 'The job has already settled'),
  EXPORT_JOB_OPEN: later(409, 'The job has not settled yet'),
  PRECONDITION_FAILED: no(412, 'The file is not the one that If-Match names'),
  PDF_TOO_LARGE: no(413, 'The PDF is larger than the plan allows'),
  PACKAGE_TOO_LARGE: no(413, 'The package is too large'),
  ROWS_TOO_LARGE: no(413, 'The row input is too large'),
  OUTPUT_TOO_LARGE: no(413, 'The output would be too large'),
  RANGE_NOT_SATISFIABLE: no(416, 'The range lies outside the file'),
  PDF_INVALID: no(422, 'The PDF cannot be used'),
  PDF_ENCRYPTED: no(422, 'The PDF needs a password'),
  PDF_TOO_MANY_PAGES: no(422, 'The PDF has too many pages'),
  PACKAGE_MALFORMED: no(422, 'The package is not a readable container'),
  PACKAGE_TAMPERED: no(422, 'The package does not match its seal'),
  PACKAGE_UNSUPPORTED: no(422, 'The package format or its signer is not supported'),
  PACKAGE_INVALID: no(422, 'The layout in the package is not valid'),
  NO_ROWS: no(422, 'There are no rows'),
  TOO_MANY_ROWS: no(422, 'There are too many rows'),
  TOO_MANY_COLUMNS: no(422, 'There are too many columns'),
  RATE_LIMITED: later(429, 'Too many requests. Retry later'),
  REPEATED_FAILED_JOBS_COOLDOWN: later(429, 'Creates pause after several failed jobs in a row'),
  HIGH_FAIL_RATIO_COOLDOWN: later(429, 'Creates pause while most recent jobs failed'),
  HEADERS_TOO_LARGE: no(431, 'The request headers are too large'),
  INTERNAL_ERROR: later(500, 'Unexpected failure'),
  EXPORT_DELIVERY_FAILED: later(500, 'The download hand-off failed'),
  FAILED_ROW_THRESHOLD_EXCEEDED: no(500, 'More rows failed than max_failed_row_percent allows'),
  EXPORT_FAILED: later(500, 'The job could not be carried out'),
  EXPORT_CANCELLED: no(500, 'The job was cancelled'),
  SERVICE_UNAVAILABLE: later(503, 'A part of the service is away'),
  STORAGE_FULL: later(503, 'The storage has no room'),
} as const satisfies Record<string, CatalogueEntry>;

const subscribers = {
  invalid_body: no(400, 'The body does not have the expected shape'),
  invalid_json: no(400, 'The body is not JSON'),
  invalid_mapping: no(400, 'A mapping is not valid'),
  unknown_csv_column: no(400, 'A mapping names a column that the CSV does not have'),
  duplicate_mapping: no(400, 'A column or a field is mapped twice'),
  email_mapping_required: no(400, 'No column is mapped to the email'),
  invalid_csv: no(400, 'The CSV cannot be read'),
  upload_expired: no(400, 'The upload has expired'),
  invalid_idempotency_key: no(400, 'Idempotency-Key is repeated or malformed'),
  invalid_api_key: no(401, 'The API key is missing, unknown, expired or revoked'),
  insufficient_scope: no(403, 'The key lacks a scope'),
  account_inactive: no(403, 'The account is not active'),
  resource_not_found: no(404, 'No such resource'),
  method_not_allowed: no(405, 'This route does not take that method'),
  request_timeout: later(408, 'The request did not arrive in time'),
  idempotency_key_reused: no(409, 'This Idempotency-Key stands for a different request'),
  resource_conflict: no(409, 'The resource is in another state, or its name is taken'),
  upload_not_ready: no(409, 'The upload has not arrived yet'),
  webhook_subscription_limit_exceeded: no(409, 'There are too many webhook subscriptions'),
  csv_too_large: no(413, 'The CSV is too large'),
  payload_too_large: no(413, 'The body is too large'),
  rate_limited: later(429, 'Too many requests'),
  headers_too_large: no(431, 'The request headers are too large'),
  internal_error: later(500, 'Unexpected failure'),
  service_unavailable: later(503, 'A part of the service is away'),
  storage_full: later(503, 'The storage has no room'),
} as const satisfies Record<string, CatalogueEntry>;

const ingest = {
  'malformed-request': no(400, 'The request cannot be read'),
  'invalid-correlation-id': no(400, 'X-Correlation-Id is missing or malformed'),
  unauthenticated: no(401, 'The credential is missing or not valid'),
  'account-inactive': no(403, 'The account is not active'),
  'cross-warehouse-credential': no(403, 'The credential is not valid for that warehouse'),
  'not-found': no(404, 'No such resource'),
  'method-not-allowed': no(405, 'This route does not take that method'),
  'request-timeout': later(408, 'The request did not arrive in time'),
  'state-conflict': no(409, 'The resource is in another state'),
  'payload-too-large': no(413, 'The body is too large'),
  'certificate-not-presented': no(422, 'The connection does not present the client certificate'),
  'business-invalid': no(422, 'The envelope breaks a business rule'),
  'rate-limited': later(429, 'Too many requests'),
  'headers-too-large': no(431, 'The request headers are too large'),
  'internal-error': later(500, 'Unexpected failure'),
  'service-unavailable': later(503, 'A part of the service is away'),
  'storage-full': later(503, 'The storage has no room'),
} as const satisfies Record<string, CatalogueEntry>;

const operatorConsole = {
  MALFORMED_REQUEST: no(400, 'The request cannot be read'),
  INVALID_FIELD: no(400, 'A field has a value that is not allowed'),
  ACCOUNT_REQUIRED: no(400, 'The request does not say which account it acts for'),
  SIGN_IN_REQUIRED: no(401, 'Nobody is signed in'),
  SIGN_IN_LINK_INVALID: no(401, 'The sign-in link is unknown, used or expired'),
  CSRF_TOKEN_INVALID: no(403, 'x-csrf-token is missing or not that of the session'),
  CROSS_SITE_REFUSED: no(403, 'The request was sent by another site'),
  ACCOUNT_INACTIVE: no(403, 'The account is not active'),
  NOT_FOUND: no(404, 'No such thing'),
  ACCOUNT_UNKNOWN: no(404, 'No such account'),
  PROBLEM_ROWS_GONE: no(404, 'The rows of this job are no longer kept'),
  ROUTE_NOT_FOUND: no(404, 'No such route'),
  METHOD_NOT_ALLOWED: no(405, 'This route does not take that method'),
  REQUEST_TIMEOUT: later(408, 'The request did not arrive in time'),
  ACCOUNT_EXISTS: no(409, 'There is an account of that name'),
  TOO_MANY_KEYS: no(409, 'The account has as many live keys as it may have'),
  KEY_NOT_LIVE: no(409, 'The key was revoked or has expired'),
  KEY_IN_ROTATION: no(409, 'The key is already being rotated'),
  LAST_OPERATOR: no(409, 'The last operator cannot be removed'),
  JOB_SETTLED: no(409, 'The job has already settled'),
  DELIVERY_RUNNING: later(409, 'An attempt at this delivery is running'),
  PAYLOAD_TOO_LARGE: no(413, 'The body is too large'),
  PDF_TOO_LARGE: no(413, 'The PDF is too large'),
  PACKAGE_TOO_LARGE: no(413, 'The package would be too large'),
  LAYOUT_INVALID: no(422, 'The layout is not valid'),
  PDF_INVALID: no(422, 'The PDF cannot be used'),
  PDF_ENCRYPTED: no(422, 'The PDF needs a password'),
  PDF_TOO_MANY_PAGES: no(422, 'The PDF has too many pages'),
  RATE_LIMITED: later(429, 'Too many requests. Retry later'),
  HEADERS_TOO_LARGE: no(431, 'The request headers are too large'),
  INTERNAL_ERROR: later(500, 'Unexpected failure'),
  SERVICE_UNAVAILABLE: later(503, 'A part of the service is away'),
  STORAGE_FULL: later(503, 'The storage has no room'),
} as const satisfies Record<string, CatalogueEntry>;

export const catalogue = { bulkfill, subscribers, ingest, console: operatorConsole };
export type CodeOf<D extends Dialect> = keyof (typeof catalogue)[D] & string;
export type AnyCode = { [D in Dialect]: CodeOf<D> }[Dialect];

/** What the HTTP shell itself may have to say, in each dialect's words. */
export const shellCodes = {
  keyRequired: {
    bulkfill: 'BF_EXPORT_API_KEY_REQUIRED',
    subscribers: 'invalid_api_key',
    ingest: 'unauthenticated',
    console: 'SIGN_IN_REQUIRED',
  },
  keyInvalid: {
    bulkfill: 'BF_EXPORT_API_KEY_INVALID',
    subscribers: 'invalid_api_key',
    ingest: 'unauthenticated',
    console: 'SIGN_IN_REQUIRED',
  },
  keyRevoked: {
    bulkfill: 'BF_EXPORT_API_KEY_REVOKED',
    subscribers: 'invalid_api_key',
    ingest: 'unauthenticated',
    console: 'SIGN_IN_REQUIRED',
  },
  keyExpired: {
    bulkfill: 'BF_EXPORT_API_KEY_EXPIRED',
    subscribers: 'invalid_api_key',
    ingest: 'unauthenticated',
    console: 'SIGN_IN_REQUIRED',
  },
  accountInactive: {
    bulkfill: 'BF_EXPORT_API_KEY_INACTIVE',
    subscribers: 'account_inactive',
    ingest: 'account-inactive',
    console: 'ACCOUNT_INACTIVE',
  },
  routeNotFound: {
    bulkfill: 'ROUTE_NOT_FOUND',
    subscribers: 'resource_not_found',
    ingest: 'not-found',
    console: 'ROUTE_NOT_FOUND',
  },
  methodNotAllowed: {
    bulkfill: 'METHOD_NOT_ALLOWED',
    subscribers: 'method_not_allowed',
    ingest: 'method-not-allowed',
    console: 'METHOD_NOT_ALLOWED',
  },
  timeout: {
    bulkfill: 'REQUEST_TIMEOUT',
    subscribers: 'request_timeout',
    ingest: 'request-timeout',
    console: 'REQUEST_TIMEOUT',
  },
  headersTooLarge: {
    bulkfill: 'HEADERS_TOO_LARGE',
    subscribers: 'headers_too_large',
    ingest: 'headers-too-large',
    console: 'HEADERS_TOO_LARGE',
  },
  /** A path with broken percent-encoding; the only parameter of Bulk Fill paths is the job id. */
  badUrl: {
    bulkfill: 'INVALID_JOB_ID',
    subscribers: 'resource_not_found',
    ingest: 'malformed-request',
    console: 'NOT_FOUND',
  },
  malformed: {
    bulkfill: 'INVALID_MULTIPART',
    subscribers: 'invalid_json',
    ingest: 'malformed-request',
    console: 'MALFORMED_REQUEST',
  },
  invalidBody: {
    bulkfill: 'INVALID_FIELD',
    subscribers: 'invalid_body',
    ingest: 'malformed-request',
    console: 'INVALID_FIELD',
  },
  payloadTooLarge: {
    bulkfill: 'ROWS_TOO_LARGE',
    subscribers: 'payload_too_large',
    ingest: 'payload-too-large',
    console: 'PAYLOAD_TOO_LARGE',
  },
  rateLimited: {
    bulkfill: 'RATE_LIMITED',
    subscribers: 'rate_limited',
    ingest: 'rate-limited',
    console: 'RATE_LIMITED',
  },
  internal: {
    bulkfill: 'INTERNAL_ERROR',
    subscribers: 'internal_error',
    ingest: 'internal-error',
    console: 'INTERNAL_ERROR',
  },
  unavailable: {
    bulkfill: 'SERVICE_UNAVAILABLE',
    subscribers: 'service_unavailable',
    ingest: 'service-unavailable',
    console: 'SERVICE_UNAVAILABLE',
  },
  storageFull: {
    bulkfill: 'STORAGE_FULL',
    subscribers: 'storage_full',
    ingest: 'storage-full',
    console: 'STORAGE_FULL',
  },
} as const satisfies Record<string, { [D in Dialect]: CodeOf<D> }>;
export type ShellFault = keyof typeof shellCodes;
