import { SurroundingsError } from '#lib/errors/surroundings-error.ts';

/**
 * What an object store or the way to it can answer, in words for operators. Only the error's code and status are repeated:
 * its message is the store's own text, which may name keys.
 */
interface Seen {
  readonly name: string;
  readonly status: number | undefined;
  readonly errno: string | undefined;
}

const CREDENTIALS = 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.';
const REGION = 'Name the region of the bucket in ROWPRESS_BLOBS (…?region=eu-west-1).';
const PERMISSIONS =
  'Allow this key to list the bucket and its multipart uploads, and to get, put, delete and abort objects below the prefix.';
const ENDPOINT = 'Check the endpoint in ROWPRESS_BLOBS, and that it can be reached from this machine.';

/** Codes of the S3 API ("Error responses" in its reference), and of the client where it never got that far. */
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Make the bucket, or name another one in ROWPRESS_BLOBS.',
  InvalidBucketName: 'Name another bucket in ROWPRESS_BLOBS.',
  InvalidAccessKeyId: CREDENTIALS,
  SignatureDoesNotMatch: CREDENTIALS,
  ExpiredToken: CREDENTIALS,
  InvalidToken: CREDENTIALS,
  AccessDenied: PERMISSIONS,
  AllAccessDisabled: PERMISSIONS,
  PermanentRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  CredentialsProviderError: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.',
};

/** Answers that mean "no room": the API has no code for it, so these are what stores really say. */
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

/** The object is not there. That a bucket is not there is something else. */
export function isMissing(error: unknown): boolean {
  const { name, status } = look(error);
  return status === 404 && name !== 'NoSuchBucket';
}

export function hasStatus(error: unknown, wanted: number): boolean {
  return look(error).status === wanted;
}

/** `place` is the store's address, `operation` what was tried. */
export function explainS3Error(place: string, operation: string, error: unknown): Error {
  if (error instanceof SurroundingsError) return error;
  const seen = look(error);
  const message =
    `The blob store ${place} failed at ${operation}: ${describe(seen)}. ${adviceFor(seen)}`.trim();
  const fault = faultIn(seen);
  return fault === undefined ? new Error(`bug: ${message}`) : new SurroundingsError(fault, message);
}

function describe({ name, status, errno }: Seen): string {
  if (status !== undefined) return `${name} (${status})`;
  if (name === 'TimeoutError') return 'no answer in time';
  if (name === 'CredentialsProviderError') return 'no credentials were found';
  return errno ?? name;
}

function adviceFor({ name, status, errno }: Seen): string {
  if (errno !== undefined && /CERT|TLS|SSL|SIGNATURE/.test(errno))
    return 'If its certificate is from an authority of your own, name that in NODE_EXTRA_CA_CERTS.';
  const known = ADVICE[name];
  if (known !== undefined) return known;
  if (status === 403) return PERMISSIONS;
  if (status === 301) return REGION;
  return status === undefined ? ENDPOINT : '';
}

/** A request that the store calls wrong in itself is our bug; everything else may pass, or is the operator's to mend. */
function faultIn({ name, status }: Seen): 'unavailable' | 'storageFull' | undefined {
  if (status === 507 || FULL.has(name)) return 'storageFull';
  const isOurs = status !== undefined && status >= 400 && status < 500;
  return isOurs && ![403, 408, 429].includes(status) && !MISCONFIGURED.has(name) ? undefined : 'unavailable';
}
