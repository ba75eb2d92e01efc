import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { BadSecret, BadValue } from './config/bad-value.ts';
import { type Plan, parsePlans } from './config/plans.ts';
import { type BlobAddress, parseBlobAddress } from './lib/blob-address.ts';
import { parseHostAllowList } from './lib/host-allow-list.ts';

/**
 * The configuration: one table of settings, read once at start. This is the only file that reads
 * `process.env`. A bad value stops the start, and all bad values are named at once.
 *
 * Every setting may also be given as `NAME_FILE`, a path whose content is the value (for secrets mounted as
 * files).
 */
interface Setting<T> {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
  readonly secret: boolean;
  parse(text: string): T;
}

function text(name: string, fallback: string, meaning: string): Setting<string> {
  return { name, default: fallback, meaning, secret: false, parse: (value) => value };
}

function secret(name: string, meaning: string): Setting<string | undefined> {
  return { name, default: '', meaning, secret: true, parse: (value) => value || undefined };
}

const KEY_32 = /^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

function key32(name: string, meaning: string): Setting<string | undefined> {
  const parse = (value: string) => {
    if (value === '') return undefined;
    if (!KEY_32.test(value)) throw new BadValue('must be 32 bytes, as 64 hexadecimal digits or as base64');
    return value;
  };
  return { ...secret(name, meaning), parse };
}

/** A file that is read later; whether it can be is told at once. */
function file(name: string, meaning: string): Setting<string | undefined> {
  const parse = (value: string) => {
    try {
      if (value !== '') readFileSync(value);
    } catch (error) {
      throw new BadValue(`must name a file that can be read (${(error as NodeJS.ErrnoException).code})`);
    }
    return value || undefined;
  };
  return { ...optional(name, meaning), parse };
}

/** Secret, because it usually holds a password. */
function databaseAddress(name: string, meaning: string): Setting<string | undefined> {
  const parse = (value: string) => {
    if (value !== '' && !/^postgres(ql)?:\/\//.test(value))
      throw new BadValue('must start with postgres:// or postgresql://');
    return value || undefined;
  };
  return { ...secret(name, meaning), parse };
}

function optional(name: string, meaning: string): Setting<string | undefined> {
  return { name, default: '', meaning, secret: false, parse: (value) => value || undefined };
}

function integer(
  name: string,
  fallback: number,
  meaning: string,
  min = 1,
  max = Number.MAX_SAFE_INTEGER,
): Setting<number> {
  const parse = (value: string) => {
    const n = Number(value);
    if (!/^\d+$/.test(value) || n < min || n > max)
      throw new BadValue(`must be a whole number from ${min} to ${max}`);
    return n;
  };
  return { name, default: String(fallback), meaning, secret: false, parse };
}

function boolean(name: string, fallback: boolean, meaning: string): Setting<boolean> {
  return {
    ...choice(name, ['true', 'false'], String(fallback), meaning),
    parse: (value) => oneOf(['true', 'false'], value) === 'true',
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: string): T {
  const found = allowed.find((option) => option === value);
  if (found === undefined) throw new BadValue(`must be one of ${allowed.join(', ')}`);
  return found;
}

function choice<T extends string>(
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T>,
  meaning: string,
): Setting<T> {
  return { name, default: fallback, meaning, secret: false, parse: (value) => oneOf(allowed, value) };
}

function list(name: string, meaning: string): Setting<string[]> {
  return { name, default: '', meaning, secret: false, parse: splitList };
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function seconds(name: string, fallback: string, meaning: string): Setting<number[]> {
  const parse = (value: string) => {
    const offsets = value.split(',').map(Number);
    const rising = offsets.every((n, i) => Number.isInteger(n) && n >= 0 && n >= (offsets[i - 1] ?? 0));
    if (!rising) throw new BadValue('must be a comma list of whole seconds that never falls');
    return offsets;
  };
  return { name, default: fallback, meaning, secret: false, parse };
}

function plans(name: string, meaning: string): Setting<ReadonlyMap<string, Plan>> {
  return { name, default: '{}', meaning, secret: false, parse: parsePlans };
}

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

const settings = {
  host: text('HOST', '127.0.0.1', 'Address the server listens on.'),
  port: integer('PORT', 8080, 'Port the server listens on; 0 takes a free one.', 0, 65_535),
  dataDir: {
    ...text('ROWPRESS_DATA_DIR', './data', 'Directory of the embedded database, blobs and keys.'),
    parse: (value: string) => resolve(value),
  },
  databaseUrl: databaseAddress(
    'DATABASE_URL',
    'A PostgreSQL server (15 or newer) to use instead of the embedded one.',
  ),
  databaseDirectUrl: databaseAddress(
    'ROWPRESS_DATABASE_DIRECT_URL',
    'The same server without the pooler in between, for LISTEN and migrations.',
  ),
  databasePool: integer('ROWPRESS_DATABASE_POOL', 16, 'Database connections per process.', 2, 500),
  role: choice(
    'ROWPRESS_ROLE',
    ['all', 'api', 'worker'],
    'all',
    'What this process does: answer requests, work on jobs, or both.',
  ),
  workers: integer(
    'ROWPRESS_WORKERS',
    availableParallelism(),
    'Slices worked on at the same time in this process.',
    1,
    256,
  ),
  blobs: {
    ...text(
      'ROWPRESS_BLOBS',
      '',
      'Blob store: file:PATH, or s3://bucket/prefix?endpoint=…&region=…&path_style=…; empty: "blobs" in the data directory.',
    ),
    parse: parseBlobs,
  },
  awsAccessKeyId: secret(
    'AWS_ACCESS_KEY_ID',
    'Key of an s3:// blob store; without it the AWS profile, container or instance role counts.',
  ),
  awsSecretAccessKey: secret('AWS_SECRET_ACCESS_KEY', 'Secret that belongs to AWS_ACCESS_KEY_ID.'),
  awsSessionToken: secret('AWS_SESSION_TOKEN', 'Token of temporary credentials, with the two above.'),
  awsRegion: optional('AWS_REGION', 'Region of an s3:// blob store that names none itself.'),
  awsDefaultRegion: optional('AWS_DEFAULT_REGION', 'The same, where AWS_REGION is not set.'),
  publicUrl: {
    ...optional('ROWPRESS_PUBLIC_URL', 'Address under which people and programs reach this server.'),
    parse: parsePublicUrl,
  },
  basePath: {
    ...text('ROWPRESS_BASE_PATH', '', 'Path prefix when the server stands under a sub-path.'),
    parse: parseBasePath,
  },
  trustProxy: {
    ...text(
      'TRUST_PROXY',
      'false',
      'Proxies whose X-Forwarded-* headers are believed: true, false, or a comma list of addresses.',
    ),
    parse: parseTrustProxy,
  },
  tlsCert: file('ROWPRESS_TLS_CERT', 'Certificate file (PEM) to listen with TLS.'),
  tlsKey: file('ROWPRESS_TLS_KEY', 'Private key file (PEM) that belongs to the certificate.'),
  tlsClientCa: file('ROWPRESS_TLS_CLIENT_CA', 'CA file (PEM) whose client certificates are accepted.'),
  requestTimeoutMs: integer(
    'ROWPRESS_REQUEST_TIMEOUT_MS',
    300_000,
    'How long a request, with its body, may take to arrive.',
    1000,
  ),
  logLevel: choice(
    'LOG_LEVEL',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'How much is logged.',
  ),
  secretKey: key32(
    'ROWPRESS_SECRET_KEY',
    'Installation secret (32 bytes, hex or base64); without it one is made in the data directory.',
  ),
  sealKey: key32(
    'ROWPRESS_SEAL_KEY',
    'Private key that seals packages; without it one is made in the data directory.',
  ),
  trustedSeals: {
    ...list('ROWPRESS_TRUSTED_SEALS', 'Further public keys whose sealed packages are accepted.'),
    parse: parseTrustedSeals,
  },
  webhookAllow: {
    ...list(
      'ROWPRESS_WEBHOOK_ALLOW',
      'Hosts, or host:port, that webhooks may reach although their address is private.',
    ),
    parse: parseWebhookAllow,
  },
  webhookRetrySeconds: seconds(
    'ROWPRESS_WEBHOOK_RETRY_SECONDS',
    '60,300,1800,3600,7200',
    'When a failed webhook is tried again, counted from the first failure.',
  ),
  webhookTimeoutMs: integer('ROWPRESS_WEBHOOK_TIMEOUT_MS', 10_000, 'How long one webhook attempt may take.'),
  ingestWebhookRetrySeconds: seconds(
    'ROWPRESS_INGEST_WEBHOOK_RETRY_SECONDS',
    '0,5,30,120,600,3600,10800,21600,43200,86400',
    'The same for webhooks of the ingest surface.',
  ),
  syncWaitMs: integer('ROWPRESS_SYNC_WAIT_MS', 10_000, 'How long a create waits for its job to settle.', 0),
  idempotencyWindowSeconds: integer(
    'ROWPRESS_IDEMPOTENCY_WINDOW_SECONDS',
    86_400,
    'How long an Idempotency-Key stands for its first request.',
  ),
  correlationWindowSeconds: integer(
    'ROWPRESS_CORRELATION_WINDOW_SECONDS',
    2_592_000,
    'How long an ingest correlation id stands for its first response.',
  ),
  correlationWaitMs: integer(
    'ROWPRESS_CORRELATION_WAIT_MS',
    10_000,
    'How long an ingest request waits for the first one with its correlation id.',
  ),
  deliverySeconds: integer('ROWPRESS_DELIVERY_SECONDS', 21_600, 'How long a finished job can be downloaded.'),
  artifactSeconds: integer(
    'ROWPRESS_ARTIFACT_SECONDS',
    86_400,
    'When the files of a finished job are gone at the latest.',
  ),
  jobRetentionSeconds: integer('ROWPRESS_JOB_RETENTION_SECONDS', 2_592_000, 'How long job records are kept.'),
  auditSeconds: integer('ROWPRESS_AUDIT_SECONDS', 34_560_000, 'How long ingest history bodies are kept.'),
  bulkfillCreatePerMinute: integer(
    'ROWPRESS_BULKFILL_CREATE_PER_MINUTE',
    120,
    'Bulk Fill creates per account and minute; 0: no limit.',
    0,
  ),
  bulkfillReadPerMinute: integer(
    'ROWPRESS_BULKFILL_READ_PER_MINUTE',
    1200,
    'Bulk Fill reads per account and minute; 0: no limit.',
    0,
  ),
  bulkfillDownloadPerMinute: integer(
    'ROWPRESS_BULKFILL_DOWNLOAD_PER_MINUTE',
    240,
    'Bulk Fill downloads per account and minute; 0: no limit.',
    0,
  ),
  subscribersPerMinute: integer(
    'ROWPRESS_SUBSCRIBERS_PER_MINUTE',
    6000,
    'Subscribers requests per account and minute; 0: no limit.',
    0,
  ),
  ingestPerMinute: integer(
    'ROWPRESS_INGEST_PER_MINUTE',
    6000,
    'Ingest requests per account and minute; 0: no limit.',
    0,
  ),
  cooldownFailedJobs: integer(
    'ROWPRESS_COOLDOWN_FAILED_JOBS',
    5,
    'Failed jobs in a row that pause creates; 0: off.',
    0,
  ),
  cooldownRatioJobs: integer(
    'ROWPRESS_COOLDOWN_RATIO_JOBS',
    20,
    'Settled jobs in an hour from which a failure ratio of one half pauses creates; 0: off.',
    0,
  ),
  bulkAsyncThreshold: integer(
    'ROWPRESS_BULK_ASYNC_THRESHOLD',
    5000,
    'Ingest items from which a call turns into a job.',
  ),
  ingestAutoRedrive: boolean(
    'ROWPRESS_INGEST_AUTO_REDRIVE',
    false,
    'Re-evaluate quarantined items by itself when a reference arrives.',
  ),
  maxRows: integer('ROWPRESS_MAX_ROWS', 100_000, 'Rows per Bulk Fill job.'),
  maxColumns: integer('ROWPRESS_MAX_COLUMNS', 200, 'Columns per row.'),
  maxPages: integer('ROWPRESS_MAX_PAGES', 2000, 'Pages of a source PDF.'),
  maxCellChars: integer('ROWPRESS_MAX_CELL_CHARS', 10_000, 'Characters (code points) per cell.'),
  maxPdfBytes: integer('ROWPRESS_MAX_PDF_BYTES', 200_000_000, 'Size of a source PDF; a plan may set less.'),
  maxPackageBytes: integer('ROWPRESS_MAX_PACKAGE_BYTES', 10_000_000, 'Size of a package.'),
  maxRowsBytes: integer('ROWPRESS_MAX_ROWS_BYTES', 64_000_000, 'Size of the row input.'),
  maxOutputBytes: integer('ROWPRESS_MAX_OUTPUT_BYTES', 1024 * GIB, 'Size of the ZIP of one job.'),
  maxStoredBytes: integer('ROWPRESS_MAX_STORED_BYTES', 4 * GIB, 'Bytes kept on disk for one job.'),
  plan: text('ROWPRESS_PLAN', 'unlimited', 'Plan of new accounts.'),
  plans: plans('ROWPRESS_PLANS', 'Further plans as JSON: {name: {rows_per_month, max_pdf_bytes}}.'),
  sourceDateEpoch: optional(
    'SOURCE_DATE_EPOCH',
    'Seconds since 1970 that `rowpress fill` writes as its time, for reproducible output.',
  ),
  leaseMs: integer(
    'ROWPRESS_LEASE_MS',
    10_000,
    'A worker that gives no sign of life for so long has lost its slice.',
    10_000,
    600_000,
  ),
  sliceTimeoutMs: integer(
    'ROWPRESS_SLICE_TIMEOUT_MS',
    120_000,
    'A slice that runs longer is stopped and tried again, three times.',
    1000,
  ),
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> };

function parseBasePath(value: string): string {
  if (value !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(value))
    throw new BadValue('must look like /tools/rowpress, without a slash at the end');
  return value;
}

function parseBlobs(value: string): BlobAddress {
  const parsed = parseBlobAddress(value);
  if (parsed.ok) return parsed.address;
  throw parsed.secret === true ? new BadSecret(parsed.problem) : new BadValue(parsed.problem);
}

/** The names are those of proxy-addr, which judges the requests. */
function parseTrustProxy(value: string): string {
  const isProxy = (part: string) => {
    const [address = '', bits, ...rest] = part.split('/');
    const width = isIP(address) === 4 ? 32 : 128;
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width);
    return rest.length === 0 && isIP(address) !== 0 && fits;
  };
  const known =
    ['true', 'false'].includes(value) ||
    splitList(value).every(
      (part) => ['loopback', 'linklocal', 'uniquelocal'].includes(part) || isProxy(part),
    );
  if (!known) throw new BadValue('must be true, false, or a comma list of addresses or networks');
  return value;
}

function parseTrustedSeals(value: string): string[] {
  const seals = splitList(value);
  if (!seals.every((seal) => KEY_32.test(seal)))
    throw new BadValue('must list public keys, each as 64 hexadecimal digits or as base64');
  return seals;
}

function parsePublicUrl(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new BadValue('must be an address that starts with http:// or https://');
  return value;
}

function parseWebhookAllow(value: string): string[] {
  const entries = splitList(value);
  const allowed = parseHostAllowList(entries);
  if (!allowed.ok)
    throw new BadValue(`must list host or host:port, which "${allowed.problems.join('", "')}" is not`);
  return entries;
}

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly shown: readonly ShownSetting[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** One row of `rowpress config`; the value of a secret is masked. */
export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly default: string;
  readonly meaning: string;
}

export function loadConfig(env: Environment = process.env): ConfigResult {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const shown: ShownSetting[] = [];
  for (const [key, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const raw = readRaw(env, setting.name, problems) ?? setting.default;
    try {
      values[key] = setting.parse(raw);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(
        `${setting.name} ${error.message}, but is ${
          setting.secret || error instanceof BadSecret ? 'something else' : JSON.stringify(raw)
        }`,
      );
    }
    const value = setting.secret && raw !== '' ? '********' : raw;
    shown.push({ name: setting.name, value, default: setting.default, meaning: setting.meaning });
  }
  problems.push(...crossChecks(values as Partial<Config>));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, config: values as unknown as Config, shown };
}

function readRaw(env: Environment, name: string, problems: string[]): string | undefined {
  const file = env[`${name}_FILE`];
  const direct = env[name];
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') problems.push(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}

/** What two settings say together. One of them may be missing here, because it was bad and has been named. */
function crossChecks(values: Partial<Config>): string[] {
  const { plans, plan, ...tls } = values;
  const problems = storeProblems(values);
  if (plans !== undefined && plan !== undefined && !plans.has(plan))
    problems.push(`ROWPRESS_PLAN must name a plan (${[...plans.keys()].join(', ')}), but is "${plan}"`);
  const isTold = !('tlsCert' in tls && 'tlsKey' in tls);
  if (!isTold && (tls.tlsCert === undefined) !== (tls.tlsKey === undefined))
    problems.push('ROWPRESS_TLS_CERT and ROWPRESS_TLS_KEY must be set together');
  if (!isTold && tls.tlsClientCa !== undefined && tls.tlsCert === undefined)
    problems.push('ROWPRESS_TLS_CLIENT_CA needs ROWPRESS_TLS_CERT and ROWPRESS_TLS_KEY');
  return problems;
}

/** AWS variables that lie about on a machine matter only where they are used. */
function storeProblems(values: Partial<Config>): string[] {
  const { blobs, awsRegion, awsDefaultRegion, awsAccessKeyId, awsSecretAccessKey } = values;
  if (blobs?.kind !== 's3') return [];
  const problems: string[] = [];
  if ((blobs.endpoint ?? blobs.region ?? awsRegion ?? awsDefaultRegion) === undefined)
    problems.push('ROWPRESS_BLOBS must say its region (…?region=eu-west-1), or AWS_REGION must be set');
  if ((awsAccessKeyId === undefined) !== (awsSecretAccessKey === undefined))
    problems.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
  return problems;
}
