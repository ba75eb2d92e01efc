import { resolve } from 'node:path';
import { usualWorkers } from '#lib/memory-limit.ts';
import { limitSettings } from './limit-settings.ts';
import {
  parseBasePath,
  parseBlobs,
  parsePublicUrl,
  parseTrustedSeals,
  parseTrustProxy,
  parseWebhookAllow,
} from './parse-values.ts';
import { parsePlans } from './plans.ts';
import {
  boolean,
  choice,
  databaseAddress,
  daysBefore,
  file,
  integer,
  key32,
  keyDays,
  keys32,
  LONGEST_MS,
  LONGEST_SECONDS,
  list,
  optional,
  type Setting,
  seconds,
  secret,
  text,
} from './setting-kinds.ts';

/** The queue redelivers an entry after an hour (engine/queue/queue.ts), even if its worker is still running. */
const LONGEST_SLICE_MS = 3_000_000;

/** Every setting, in the order in which `rowpress config` shows them. To add one, add a line here or to the limits. */
export const settings = {
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
    usualWorkers(),
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
      'Proxies whose X-Forwarded-* headers are believed: false, how many stand in front (1), or a comma list of addresses and networks.',
    ),
    parse: parseTrustProxy,
  },
  tlsCert: file('ROWPRESS_TLS_CERT', 'Certificate file (PEM) to listen with TLS.'),
  tlsKey: file('ROWPRESS_TLS_KEY', 'Private key file (PEM) that belongs to the certificate.'),
  tlsClientCa: file('ROWPRESS_TLS_CLIENT_CA', 'CA file (PEM) whose client certificates are accepted.'),
  connectionsPerAddress: integer(
    'ROWPRESS_CONNECTIONS_PER_ADDRESS',
    2000,
    'Open connections per client address; trusted proxies are exempt; 0: no limit.',
    0,
  ),
  failedKeysPerMinute: integer(
    'ROWPRESS_FAILED_KEYS_PER_MINUTE',
    60,
    'Invalid API keys per client address and minute that are answered 401; further ones are answered 429; 0: no limit.',
    0,
  ),
  requestTimeoutMs: integer(
    'ROWPRESS_REQUEST_TIMEOUT_MS',
    300_000,
    'How long a request, with its body, may take to arrive.',
    1000,
    LONGEST_MS,
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
  secretKeyPrevious: keys32(
    'ROWPRESS_SECRET_KEY_PREVIOUS',
    'Earlier installation secrets, comma-separated, until `rowpress secrets retire` ends their use.',
  ),
  sealKey: key32(
    'ROWPRESS_SEAL_KEY',
    'Private key that seals packages; without it one is made in the data directory.',
  ),
  sandbox: choice<'auto' | 'require' | 'off'>(
    'ROWPRESS_SANDBOX',
    ['auto', 'require', 'off'],
    'auto',
    'Sandbox of the programs that read uploads: auto uses every layer the machine has; require refuses to start without namespaces, seccomp and no_new_privs; off uses none.',
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
  webhookTimeoutMs: integer(
    'ROWPRESS_WEBHOOK_TIMEOUT_MS',
    10_000,
    'How long a webhook may take to answer.',
    1,
    LONGEST_MS,
  ),
  ingestWebhookRetrySeconds: seconds(
    'ROWPRESS_INGEST_WEBHOOK_RETRY_SECONDS',
    '0,5,30,120,600,3600,10800,21600,43200,86400',
    'The same for webhooks of the ingest surface.',
  ),
  syncWaitMs: integer(
    'ROWPRESS_SYNC_WAIT_MS',
    10_000,
    'How long a create waits for its job to settle.',
    0,
    LONGEST_MS,
  ),
  idempotencyWindowSeconds: integer(
    'ROWPRESS_IDEMPOTENCY_WINDOW_SECONDS',
    86_400,
    'How long an Idempotency-Key stands for its first request.',
    1,
    LONGEST_SECONDS,
  ),
  correlationWindowSeconds: integer(
    'ROWPRESS_CORRELATION_WINDOW_SECONDS',
    2_592_000,
    'How long an ingest correlation id stands for its first response.',
    1,
    LONGEST_SECONDS,
  ),
  correlationWaitMs: integer(
    'ROWPRESS_CORRELATION_WAIT_MS',
    10_000,
    'How long an ingest request waits for the first one with its correlation id.',
    1,
    LONGEST_MS,
  ),
  deliverySeconds: integer(
    'ROWPRESS_DELIVERY_SECONDS',
    21_600,
    'How long a finished job can be downloaded.',
    1,
    LONGEST_SECONDS,
  ),
  artifactSeconds: integer(
    'ROWPRESS_ARTIFACT_SECONDS',
    86_400,
    'When the files of a finished job are gone at the latest.',
    1,
    LONGEST_SECONDS,
  ),
  jobRetentionSeconds: integer(
    'ROWPRESS_JOB_RETENTION_SECONDS',
    2_592_000,
    'How long job records are kept.',
    1,
    LONGEST_SECONDS,
  ),
  sessionIdleSeconds: integer(
    'ROWPRESS_SESSION_IDLE_SECONDS',
    604_800,
    'A console session ends after this time without a request.',
    60,
    LONGEST_SECONDS,
  ),
  sessionMaxSeconds: integer(
    'ROWPRESS_SESSION_MAX_SECONDS',
    2_592_000,
    'A console session ends this long after the sign-in, even if it is used.',
    60,
    LONGEST_SECONDS,
  ),
  auditSeconds: integer(
    'ROWPRESS_AUDIT_SECONDS',
    34_560_000,
    'How long ingest history bodies and audit entries are kept.',
    1,
    LONGEST_SECONDS,
  ),
  ...limitSettings,
  bulkAsyncThreshold: integer(
    'ROWPRESS_BULK_ASYNC_THRESHOLD',
    5000,
    'Ingest calls with more items than this turn into a job.',
  ),
  ingestAutoRedrive: boolean(
    'ROWPRESS_INGEST_AUTO_REDRIVE',
    false,
    'Re-evaluate quarantined items by itself when a reference arrives.',
  ),
  keepPdfActions: boolean(
    'ROWPRESS_KEEP_PDF_ACTIONS',
    false,
    'Keep actions of source PDFs that reach other files and servers (submit, import, remote links, media); scripts never stay.',
  ),
  bulkfillKeyDays: keyDays('ROWPRESS_BULKFILL_KEY_DAYS', '365', 'Bulk Fill'),
  subscribersKeyDays: keyDays('ROWPRESS_SUBSCRIBERS_KEY_DAYS', 'none', 'Subscribers'),
  ingestKeyDays: keyDays('ROWPRESS_INGEST_KEY_DAYS', 'none', 'ingest'),
  keyWarningDays: daysBefore(
    'ROWPRESS_KEY_WARNING_DAYS',
    '14,3',
    'Days before an API key expires at which to warn, the largest first; empty: no warnings.',
  ),
  plan: text('ROWPRESS_PLAN', 'unlimited', 'Plan of new accounts.'),
  plans: {
    ...text(
      'ROWPRESS_PLANS',
      '{}',
      'Further plans as JSON: {name: {rows_per_month, max_pdf_bytes, max_stored_bytes}}.',
    ),
    parse: parsePlans,
  },
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
    'A slice that runs longer is stopped and tried again; the third time ends its job.',
    1000,
    LONGEST_SLICE_MS,
  ),
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> };
