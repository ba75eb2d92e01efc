import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { BlobStoreError } from '../blob-store-error.ts';

/**
 * An error of the object store or of the connection to it. Messages contain only its code and status: the store's own
 * text may include keys.
 */
interface Seen {
  readonly name: string;
  readonly status: number | undefined;
  readonly errno: string | undefined;
}

const CREDENTIALS = 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.';
const REGION = 'Set the region of the bucket in ROWPRESS_BLOBS (…?region=eu-west-1).';
const PERMISSIONS =
  'Allow this key to list the bucket and its multipart uploads, and to get, put, delete and abort objects below the prefix.';
const ENDPOINT = 'Check the endpoint in ROWPRESS_BLOBS, and that this machine can reach it.';

/** Codes of the S3 API ("Error responses" in its reference), and of the client for failures before a response. */
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Create the bucket, or set ROWPRESS_BLOBS to another one.',
  InvalidBucketName: 'Set ROWPRESS_BLOBS to a valid bucket name.',
  InvalidAccessKeyId: CREDENTIALS,
  SignatureDoesNotMatch: CREDENTIALS,
  ExpiredToken: CREDENTIALS,
  InvalidToken: CREDENTIALS,
  AccessDenied: PERMISSIONS,
  AllAccessDisabled: PERMISSIONS,
  PermanentRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
  RequestTimeTooSkewed: 'Correct the clock of this machine.',
  CredentialsProviderError: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.',
};

/** Errors that mean that the store is full. The API has no code for it; stores return these. */
const FULL = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
]);
const MISCONFIGURED = new Set(Object.keys(ADVICE));

function look(error: unknown): Seen {
  const { name, code, $metadata } = error as {
    name?: unknown;
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  return {
    name: typeof name === 'string' ? name : 'Error',
    status: $metadata?.httpStatusCode,
    errno: typeof code === 'string' && $metadata?.httpStatusCode === undefined ? code : undefined,
  };
}

/** Reports whether the object does not exist. A missing bucket is another error. */
export function isMissing(error: unknown): boolean {
  const { name, status } = look(error);
  return status === 404 && name !== 'NoSuchBucket';
}

export function hasStatus(error: unknown, wanted: number): boolean {
  return look(error).status === wanted;
}

/** `place` is the address of the store, `operation` the failed request. */
export function explainS3Error(place: string, operation: string, error: unknown): Error {
  if (error instanceof SurroundingsError) return error;
  const seen = look(error);
  const message =
    `The blob store ${place} failed at ${operation}: ${describe(seen)}. ${adviceFor(seen)}`.trim();
  const fault = faultIn(seen);
  return fault === undefined ? new Error(`bug: ${message}`) : new BlobStoreError(fault, message);
}

function describe({ name, status, errno }: Seen): string {
  if (status !== undefined) return `${name} (${status})`;
  if (name === 'TimeoutError') return 'the request timed out';
  if (name === 'CredentialsProviderError') return 'no credentials found';
  return errno ?? name;
}

function adviceFor({ name, status, errno }: Seen): string {
  if (errno !== undefined && /CERT|TLS|SSL|SIGNATURE/.test(errno))
    return 'If a private authority issued its certificate, set NODE_EXTRA_CA_CERTS to the file of that authority.';
  const known = ADVICE[name];
  if (known !== undefined) return known;
  if (status === 403) return PERMISSIONS;
  if (status === 301) return REGION;
  return status === undefined ? ENDPOINT : '';
}

/**
 * Classifies an error. A request that the store rejects as invalid is our bug; other errors are temporary or need the
 * operator.
 */
function faultIn({ name, status }: Seen): 'unavailable' | 'storageFull' | undefined {
  if (status === 507 || FULL.has(name)) return 'storageFull';
  const isOurs = status !== undefined && status >= 400 && status < 500;
  return isOurs && ![403, 408, 429].includes(status) && !MISCONFIGURED.has(name) ? undefined : 'unavailable';
}
