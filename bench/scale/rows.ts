/** The sizes of the loaded installation. */
export interface Sizes {
  readonly jobs: number;
  readonly items: number;
  readonly people: number;
  readonly blobs: number;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly count: number;
  /** The values of row `i`; null is SQL's null. */
  readonly row: (i: number) => readonly (string | number | boolean | null)[];
}

export const ACCOUNTS = 20;
export const PARTNERS = 10;
const DAY_MS = 86_400_000;
/** Jobs are kept for 30 days, so the installation holds that many. */
const DAYS = 30;
/** One job in so many sent a webhook; as many events have no job. */
const PER_EVENT = 4;
const PER_FAILED = 50;
const PER_HISTORY = 10;
const RESPONSE = Buffer.from(JSON.stringify({ accepted: true, note: 'r'.repeat(600) })).toString('hex');

/** A time-ordered id: `kind` keeps the ids of different tables apart. */
function idAt(ms: number, kind: number, i: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  const number = i.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind.toString(16).padStart(3, '0')}-8000-${number}`;
}

export const accountId = (i: number): string => idAt(0, 1, i % ACCOUNTS);
export const digestOf = (i: number): string => i.toString(16).padStart(64, '0');

/** The tables of an installation with 30 days of work before `now`. A table comes after those that it refers to. */
export function tablesOf(sizes: Sizes, now: Date): Table[] {
  const { jobs, items, people, blobs } = sizes;
  const events = Math.floor(jobs / PER_EVENT);
  const perDay = Math.floor(jobs / DAYS);
  const bornAt = (i: number, of: number) =>
    now.getTime() - DAYS * DAY_MS + ((i + 1) / of) * (DAYS * DAY_MS - 1000);
  const at = (ms: number) => new Date(ms).toISOString();
  const jobAt = (i: number) => bornAt(i, jobs);
  const jobId = (i: number) => idAt(jobAt(i), 2, i);
  const artifactId = (i: number) => idAt(jobAt(i), 3, i);
  const isFailed = (i: number) => i % PER_FAILED === 0;
  const isLive = (i: number) => i >= jobs - perDay;
  const eventAt = (i: number) => bornAt(i % events, events);
  const eventId = (i: number) => idAt(eventAt(i), 4, i);
  const deliveryId = (i: number) => idAt(eventAt(i), 5, i);
  const personAt = (i: number) => bornAt(i, people);
  return [
    {
      name: 'accounts',
      columns: ['id', 'name', 'plan', 'created_at'],
      count: ACCOUNTS,
      row: (i) => [accountId(i), `account ${i}`, 'unlimited', at(now.getTime() - DAYS * DAY_MS)],
    },
    {
      name: 'jobs',
      columns: [
        ...[
          'id',
          'account_id',
          'kind',
          'state',
          'input',
          'ordered',
          'slices_total',
          'slices_done',
          'rows_total',
        ],
        ...[
          'rows_done',
          'error_code',
          'error_message',
          'request_key',
          'request_id',
          'created_at',
          'started_at',
          'settled_at',
        ],
      ],
      count: jobs,
      row: (i) => [
        ...[jobId(i), accountId(i), 'bulkfill.export', isFailed(i) ? 'failed' : 'completed'],
        ...['{"layout":"example"}', false, 1, 1, 10, 10, isFailed(i) ? 'ROWS_INVALID' : null],
        ...[
          isFailed(i) ? 'No row is valid.' : null,
          `key-${i}`,
          `req-${i}`,
          at(jobAt(i)),
          at(jobAt(i)),
          at(jobAt(i) + 500),
        ],
      ],
    },
    {
      name: 'slices',
      columns: [
        'job_id',
        'n',
        'state',
        'attempt',
        'input',
        'result',
        'rows_total',
        'rows_failed',
        'started_at',
        'finished_at',
      ],
      count: jobs,
      row: (i) => [
        jobId(i),
        0,
        'done',
        1,
        '{"firstRow":1}',
        '{"bytes":1000}',
        10,
        0,
        at(jobAt(i)),
        at(jobAt(i) + 400),
      ],
    },
    {
      name: 'request_keys',
      columns: [
        ...['account_id', 'scope', 'key', 'body_digest', 'job_id', 'response_status', 'response_type'],
        ...['response_body', 'claimed_at', 'expires_at'],
      ],
      count: jobs,
      row: (i) => [
        ...[
          accountId(i),
          'bulkfill.export',
          `key-${i}`,
          `\\\\x${digestOf(i)}`,
          jobId(i),
          202,
          'application/json',
        ],
        ...[`\\\\x${RESPONSE}`, at(jobAt(i)), at(jobAt(i) + DAYS * DAY_MS)],
      ],
    },
    {
      name: 'quota_ledger',
      columns: [
        'job_id',
        'account_id',
        'period',
        'reserved_rows',
        'billed_rows',
        'limited',
        'created_at',
        'settled_at',
      ],
      count: jobs,
      row: (i) => [
        jobId(i),
        accountId(i),
        at(jobAt(i)).slice(0, 7),
        10,
        10,
        false,
        at(jobAt(i)),
        at(jobAt(i) + 500),
      ],
    },
    {
      name: 'blobs',
      columns: ['digest', 'size_bytes', 'last_put_at'],
      count: blobs,
      row: (i) => [digestOf(i), 1000, at(bornAt(i, blobs))],
    },
    {
      name: 'blob_refs',
      columns: ['digest', 'job_id', 'role'],
      count: blobs,
      // Every blob has a job: an idle round must find nothing to delete.
      row: (i) => [digestOf(i), jobId(jobs - perDay + (i % perDay)), 'artifact'],
    },
    {
      name: 'artifacts',
      columns: [
        'id',
        'job_id',
        'account_id',
        'media_type',
        'size_bytes',
        'etag',
        'parts',
        'made_at',
        'purge_at',
        'purged_at',
      ],
      count: jobs,
      row: (i) => [
        ...[artifactId(i), jobId(i), accountId(i), 'application/zip', 1000, `e${i}`, '{}', at(jobAt(i))],
        ...[at(jobAt(i) + DAY_MS + 3_600_000), isLive(i) ? null : at(jobAt(i) + DAY_MS)],
      ],
    },
    {
      name: 'deliveries',
      columns: ['id', 'job_id', 'artifact_id', 'expires_at', 'swept'],
      count: jobs,
      row: (i) => [idAt(jobAt(i), 6, i), jobId(i), artifactId(i), at(jobAt(i) + DAY_MS), !isLive(i)],
    },
    {
      name: 'events',
      columns: ['id', 'account_id', 'surface', 'type', 'job_id', 'body', 'occurred_at'],
      count: 2 * events,
      row: (i) => [
        ...[
          eventId(i),
          accountId(i),
          i < events ? 'bulkfill' : 'ingest',
          i < events ? 'export.completed' : 'item.accepted',
        ],
        ...[i < events ? jobId(i * PER_EVENT) : null, '\\\\x7b7d', at(eventAt(i))],
      ],
    },
    {
      name: 'webhook_deliveries',
      columns: [
        ...[
          'id',
          'event_id',
          'account_id',
          'target_url',
          'secrets',
          'scheme',
          'state',
          'attempt',
          'delivered_at',
          'created_at',
        ],
      ],
      count: 2 * events,
      row: (i) => [
        ...[
          deliveryId(i),
          eventId(i),
          accountId(i),
          'https://example.org/hook',
          '\\\\x00',
          'standard',
          'delivered',
          1,
        ],
        ...[at(eventAt(i)), at(eventAt(i))],
      ],
    },
    {
      name: 'webhook_attempts',
      columns: ['delivery_id', 'n', 'started_at', 'finished_at', 'status'],
      count: 2 * events,
      row: (i) => [deliveryId(i), 1, at(eventAt(i)), at(eventAt(i)), 200],
    },
    {
      name: 'ingest_partners',
      columns: ['no', 'account_id', 'partner_id', 'created_at'],
      count: PARTNERS,
      row: (i) => [i + 1, accountId(i), `partner-${i}`, at(now.getTime())],
    },
    {
      name: 'ingest_items',
      columns: [
        ...[
          'partner_no',
          'collection',
          'source_id',
          'internal_id',
          'source_version',
          'active',
          'change',
          'item',
        ],
        ...['correlation_id', 'changed_at'],
      ],
      count: items,
      row: (i) => [
        ...[1 + (i % PARTNERS), 1, `item-${String(i).padStart(9, '0')}`, idAt(0, 7, i), 2, true, 2],
        ...[`{"name":"Item ${i}"}`, `load-${i % 1000}`, at(bornAt(i, items))],
      ],
    },
    {
      name: 'ingest_history',
      columns: [
        ...[
          'partner_no',
          'collection',
          'source_id',
          'change',
          'source_version',
          'active',
          'item',
          'correlation_id',
          'changed_at',
        ],
      ],
      count: Math.floor(items / PER_HISTORY),
      row: (i) => [
        ...[1 + (i % PARTNERS), 1, `item-${String(i).padStart(9, '0')}`, 1, 1, true, `{"name":"Item ${i}"}`],
        ...['first-load', at(bornAt(i, items / PER_HISTORY))],
      ],
    },
    {
      name: 'subscribers',
      columns: [
        'id',
        'account_id',
        'email',
        'email_key',
        'name',
        'status',
        'subscribed_at',
        'created_at',
        'updated_at',
      ],
      count: people,
      row: (i) => [
        ...[
          idAt(personAt(i), 8, i),
          accountId(i),
          `person${i}@example.org`,
          `person${i}@example.org`,
          `Person Number${i}`,
        ],
        ...['Active', at(personAt(i)), at(personAt(i)), at(personAt(i))],
      ],
    },
  ];
}
