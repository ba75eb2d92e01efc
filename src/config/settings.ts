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
  replicaAddress,
  type Setting,
  seconds,
  secret,
  text,
} from './setting-kinds.ts';
import { singleSignOnSettings } from './single-sign-on-settings.ts';

/** The queue redelivers an entry after an hour (engine/queue/queue.ts), even if its worker is still running. */
const LONGEST_SLICE_MS = 3_000_000;

/** Every setting, in the order of `rowpress config`. To add one, add a line here or to the limits. */
export const settings = {
  host: text('HOST', '127.0.0.1', 'Address that the server listens on.'),
  port: integer('PORT', 8080, 'Port that the server listens on; 0 chooses a free one.', 0, 65_535),
  dataDir: {
    ...text('ROWPRESS_DATA_DIR', './data', 'Directory of the embedded database, blobs and keys.'),
    parse: (value: string) => resolve(value),
  },
  databaseUrl: databaseAddress(
    'DATABASE_URL',
    'PostgreSQL server (15 or newer) to use instead of the embedded one; several servers are separated by commas, and the primary is used.',
  ),
  databaseDirectUrl: databaseAddress(
    'ROWPRESS_DATABASE_DIRECT_URL',
    'The same server without a pooler in between, for LISTEN and migrations.',
  ),
  databaseReadUrl: replicaAddress(
    'DATABASE_READ_URL',
    'Standby of DATABASE_URL that answers lists, usage and the console, as long as it is at most half a second behind; the primary answers otherwise.',
  ),
  databasePool: integer('ROWPRESS_DATABASE_POOL', 16, 'Database connections per process.', 2, 500),
  role: choice(
    'ROWPRESS_ROLE',
    ['all', 'api', 'worker'],
    'all',
    'Tasks of this process: serve requests (api), run jobs (worker), or both (all).',
  ),
  workers: {
    ...integer('ROWPRESS_WORKERS', usualWorkers(), 'Slices that this process runs at the same time.', 1, 256),
    computed: 'one per core, at most one for every 192 MiB of memory',
  },
  blobs: {
    ...text(
      'ROWPRESS_BLOBS',
      '',
      'Blob store: file:PATH, or s3://bucket/prefix?endpoint=…&region=…&path_style=…; empty: "blobs" in the data directory.',
    ),
    parse: parseBlobs,
  },
  encryptBlobs: boolean(
    'ROWPRESS_ENCRYPT_BLOBS',
    false,
    'Encrypt new blobs with a data key per account, sealed with the installation secret; stored blobs stay as they are.',
  ),
  delivery: choice<'direct' | 'cloud'>(
    'ROWPRESS_DELIVERY',
    ['direct', 'cloud'],
    'direct',
    'How a finished ZIP is sent: direct streams it from this server; cloud redirects to a link of the s3:// blob store, which must be reachable by clients.',
  ),
  server: optional(
    'ROWPRESS_SERVER',
    'URL of the server that submit, wait, download, jobs, projects, push, import and mcp use.',
  ),
  apiKey: secret('ROWPRESS_API_KEY', 'API key of the commands that use ROWPRESS_SERVER.'),
  awsAccessKeyId: secret(
    'AWS_ACCESS_KEY_ID',
    'Access key of an s3:// blob store; without it, the AWS profile, container or instance role is used.',
  ),
  awsSecretAccessKey: secret('AWS_SECRET_ACCESS_KEY', 'Secret of AWS_ACCESS_KEY_ID.'),
  awsSessionToken: secret('AWS_SESSION_TOKEN', 'Session token of temporary AWS credentials.'),
  awsRegion: optional('AWS_REGION', 'Region of an s3:// blob store without its own region.'),
  awsDefaultRegion: optional('AWS_DEFAULT_REGION', 'Region to use if AWS_REGION is not set.'),
  publicUrl: {
    ...optional('ROWPRESS_PUBLIC_URL', 'Public address of this server for users and programs.'),
    parse: parsePublicUrl,
  },
  basePath: {
    ...text('ROWPRESS_BASE_PATH', '', 'Path prefix if the server runs under a sub-path.'),
    parse: parseBasePath,
  },
  trustProxy: {
    ...text(
      'TRUST_PROXY',
      'false',
      'Trusted proxies whose X-Forwarded-* headers are used: false, the number of proxies (1), or a comma-separated list of addresses and networks.',
    ),
    parse: parseTrustProxy,
  },
  tlsCert: file('ROWPRESS_TLS_CERT', 'Certificate file (PEM) to listen with TLS.'),
  tlsKey: file('ROWPRESS_TLS_KEY', 'Private key file (PEM) of the certificate.'),
  tlsClientCa: file(
    'ROWPRESS_TLS_CLIENT_CA',
    'CA file (PEM); client certificates issued by it are accepted.',
  ),
  connectionsPerAddress: integer(
    'ROWPRESS_CONNECTIONS_PER_ADDRESS',
    2000,
    'Open connections per client address; trusted proxies are exempt; 0: unlimited.',
    0,
  ),
  failedKeysPerMinute: integer(
    'ROWPRESS_FAILED_KEYS_PER_MINUTE',
    60,
    'Invalid API keys per client address and minute that get a 401 response; further ones get 429; 0: unlimited.',
    0,
  ),
  requestTimeoutMs: integer(
    'ROWPRESS_REQUEST_TIMEOUT_MS',
    300_000,
    'Maximum milliseconds for a request with its body to arrive.',
    1000,
    LONGEST_MS,
  ),
  logLevel: choice(
    'LOG_LEVEL',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'Minimum level of logged messages.',
  ),
  secretKey: key32(
    'ROWPRESS_SECRET_KEY',
    'Installation secret (32 bytes, hex or base64); without it, one is created in the data directory.',
  ),
  secretKeyPrevious: keys32(
    'ROWPRESS_SECRET_KEY_PREVIOUS',
    'Earlier installation secrets, comma-separated, until `rowpress secrets retire` ends their use.',
  ),
  sealKey: key32(
    'ROWPRESS_SEAL_KEY',
    'Private key that seals packages; without it, one is created in the data directory.',
  ),
  sandbox: choice<'auto' | 'require' | 'off'>(
    'ROWPRESS_SANDBOX',
    ['auto', 'require', 'off'],
    'auto',
    'Sandbox of the programs that read uploads: auto uses every layer that the machine supports; require refuses to start without namespaces, seccomp and no_new_privs; off uses none.',
  ),
  trustedSeals: {
    ...list('ROWPRESS_TRUSTED_SEALS', 'Additional public keys whose sealed packages are accepted.'),
    parse: parseTrustedSeals,
  },
  webhookAllow: {
    ...list(
      'ROWPRESS_WEBHOOK_ALLOW',
      'Hosts, or host:port, that webhooks may reach even if their address is private.',
    ),
    parse: parseWebhookAllow,
  },
  webhookRetrySeconds: seconds(
    'ROWPRESS_WEBHOOK_RETRY_SECONDS',
    '60,300,1800,3600,7200',
    'When to retry a failed webhook, in seconds after the first failure.',
  ),
  webhookTimeoutMs: integer(
    'ROWPRESS_WEBHOOK_TIMEOUT_MS',
    10_000,
    'Maximum milliseconds for a webhook receiver to respond.',
    1,
    LONGEST_MS,
  ),
  ingestWebhookRetrySeconds: seconds(
    'ROWPRESS_INGEST_WEBHOOK_RETRY_SECONDS',
    '0,5,30,120,600,3600,10800,21600,43200,86400',
    'When to retry a failed webhook of the ingest surface, in seconds after the first failure.',
  ),
  syncWaitMs: integer(
    'ROWPRESS_SYNC_WAIT_MS',
    10_000,
    'Maximum milliseconds that a create waits for its job to settle.',
    0,
    LONGEST_MS,
  ),
  idempotencyWindowSeconds: integer(
    'ROWPRESS_IDEMPOTENCY_WINDOW_SECONDS',
    86_400,
    'Seconds for which an Idempotency-Key refers to its first request.',
    1,
    LONGEST_SECONDS,
  ),
  correlationWindowSeconds: integer(
    'ROWPRESS_CORRELATION_WINDOW_SECONDS',
    2_592_000,
    'Seconds for which an ingest correlation id replays its first response.',
    1,
    LONGEST_SECONDS,
  ),
  correlationWaitMs: integer(
    'ROWPRESS_CORRELATION_WAIT_MS',
    10_000,
    'Maximum milliseconds that an ingest request waits for the first one with its correlation id.',
    1,
    LONGEST_MS,
  ),
  deliverySeconds: integer(
    'ROWPRESS_DELIVERY_SECONDS',
    21_600,
    'Seconds for which a finished job can be downloaded.',
    1,
    LONGEST_SECONDS,
  ),
  artifactSeconds: integer(
    'ROWPRESS_ARTIFACT_SECONDS',
    86_400,
    'Seconds after which the files of a finished job are deleted at the latest.',
    1,
    LONGEST_SECONDS,
  ),
  jobRetentionSeconds: integer(
    'ROWPRESS_JOB_RETENTION_SECONDS',
    2_592_000,
    'Seconds for which job records are kept.',
    1,
    LONGEST_SECONDS,
  ),
  sessionIdleSeconds: integer(
    'ROWPRESS_SESSION_IDLE_SECONDS',
    604_800,
    'Seconds without a request after which a console session ends.',
    60,
    LONGEST_SECONDS,
  ),
  sessionMaxSeconds: integer(
    'ROWPRESS_SESSION_MAX_SECONDS',
    2_592_000,
    'Seconds after the sign-in at which a console session ends, even if it is in use.',
    60,
    LONGEST_SECONDS,
  ),
  verify: boolean(
    'ROWPRESS_VERIFY',
    false,
    'Allow documents that anyone can verify at ROWPRESS_PUBLIC_URL/v/…, which shows the day of issue and the project.',
  ),
  verifySeconds: integer(
    'ROWPRESS_VERIFY_SECONDS',
    315_360_000,
    'Seconds for which a document can be verified after it was issued.',
    1,
    LONGEST_SECONDS,
  ),
  auditSeconds: integer(
    'ROWPRESS_AUDIT_SECONDS',
    34_560_000,
    'Seconds for which ingest history bodies and audit entries are kept.',
    1,
    LONGEST_SECONDS,
  ),
  ...singleSignOnSettings,
  ...limitSettings,
  bulkAsyncThreshold: integer(
    'ROWPRESS_BULK_ASYNC_THRESHOLD',
    5000,
    'Ingest calls with more items than this run as a job.',
  ),
  ingestAutoRedrive: boolean(
    'ROWPRESS_INGEST_AUTO_REDRIVE',
    false,
    'Re-evaluate quarantined items automatically when a reference arrives.',
  ),
  keepPdfActions: boolean(
    'ROWPRESS_KEEP_PDF_ACTIONS',
    false,
    'Keep actions of source PDFs that access other files and servers (submit, import, remote links, media); scripts are always removed.',
  ),
  bulkfillKeyDays: keyDays('ROWPRESS_BULKFILL_KEY_DAYS', '365', 'Bulk Fill'),
  subscribersKeyDays: keyDays('ROWPRESS_SUBSCRIBERS_KEY_DAYS', 'none', 'Subscribers'),
  ingestKeyDays: keyDays('ROWPRESS_INGEST_KEY_DAYS', 'none', 'ingest'),
  keyWarningDays: daysBefore(
    'ROWPRESS_KEY_WARNING_DAYS',
    '14,3',
    'Days before the expiry of an API key at which to warn, the largest first; empty: no warnings.',
  ),
  plan: text('ROWPRESS_PLAN', 'unlimited', 'Plan of new accounts.'),
  plans: {
    ...text(
      'ROWPRESS_PLANS',
      '{}',
      'Additional plans as JSON: {name: {rows_per_month, max_pdf_bytes, max_stored_bytes}}.',
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
    'Milliseconds without a heartbeat after which a worker loses its slice.',
    10_000,
    600_000,
  ),
  sliceTimeoutMs: integer(
    'ROWPRESS_SLICE_TIMEOUT_MS',
    120_000,
    'Milliseconds after which a slice is stopped and retried; the third timeout ends its job.',
    1000,
    LONGEST_SLICE_MS,
  ),
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> };
