import { memoryLimitBytes } from '#lib/memory-limit.ts';
import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { integer, LONGEST_MS, LONGEST_SECONDS, type Setting } from './setting-kinds.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Rates, sizes, deadlines and budgets of one caller or one job. */
export const limitSettings = {
  bulkfillCreatePerMinute: integer(
    'ROWPRESS_BULKFILL_CREATE_PER_MINUTE',
    120,
    'Bulk Fill creates per account and minute; 0: unlimited.',
    0,
  ),
  bulkfillReadPerMinute: integer(
    'ROWPRESS_BULKFILL_READ_PER_MINUTE',
    1200,
    'Bulk Fill reads per account and minute; 0: unlimited.',
    0,
  ),
  bulkfillDownloadPerMinute: integer(
    'ROWPRESS_BULKFILL_DOWNLOAD_PER_MINUTE',
    240,
    'Bulk Fill downloads per account and minute; 0: unlimited.',
    0,
  ),
  verifyPerMinute: integer(
    'ROWPRESS_VERIFY_PER_MINUTE',
    60,
    'Verifications of documents per client address and minute; 0: unlimited.',
    0,
  ),
  subscribersPerMinute: integer(
    'ROWPRESS_SUBSCRIBERS_PER_MINUTE',
    6000,
    'Subscribers requests per account and minute; 0: unlimited.',
    0,
  ),
  ingestPerMinute: integer(
    'ROWPRESS_INGEST_PER_MINUTE',
    6000,
    'Ingest requests per account and minute; 0: unlimited.',
    0,
  ),
  maxCsvBytes: integer(
    'ROWPRESS_SUBSCRIBERS_MAX_CSV_BYTES',
    50_000_000,
    'Maximum bytes of a Subscribers import.',
  ),
  maxCsvRows: integer(
    'ROWPRESS_SUBSCRIBERS_MAX_CSV_ROWS',
    1_000_000,
    'Maximum rows of a Subscribers import.',
  ),
  exportLinkSeconds: integer(
    'ROWPRESS_SUBSCRIBERS_LINK_SECONDS',
    3600,
    'Seconds for which the download link of a Subscribers export works.',
    1,
    LONGEST_SECONDS,
  ),
  maxUpsertBytes: integer('ROWPRESS_INGEST_MAX_UPSERT_BYTES', 4 * MIB, 'Maximum bytes of an ingest upsert.'),
  maxBulkBytes: integer(
    'ROWPRESS_INGEST_MAX_BULK_BYTES',
    GIB,
    'Maximum bytes of an ingest bulk load or refresh.',
  ),
  cooldownFailedJobs: integer(
    'ROWPRESS_COOLDOWN_FAILED_JOBS',
    5,
    'Failed jobs in a row after which creates pause; 0: off.',
    0,
  ),
  cooldownRatioJobs: integer(
    'ROWPRESS_COOLDOWN_RATIO_JOBS',
    20,
    'Settled jobs per hour from which a failure ratio of one half pauses creates; 0: off.',
    0,
  ),
  maxRows: integer('ROWPRESS_MAX_ROWS', 100_000, 'Maximum rows of a Bulk Fill job.'),
  maxColumns: integer('ROWPRESS_MAX_COLUMNS', DEFAULT_ROW_LIMITS.maxColumns, 'Maximum columns of a row.'),
  maxPages: integer('ROWPRESS_MAX_PAGES', 2000, 'Maximum pages of a source PDF.'),
  maxCellChars: integer('ROWPRESS_MAX_CELL_CHARS', 10_000, 'Maximum characters (code points) of a cell.'),
  maxPdfBytes: integer(
    'ROWPRESS_MAX_PDF_BYTES',
    200_000_000,
    'Maximum bytes of a source PDF; a plan may set less.',
  ),
  maxPackageBytes: integer('ROWPRESS_MAX_PACKAGE_BYTES', 10_000_000, 'Maximum bytes of a package.'),
  maxRowsBytes: integer('ROWPRESS_MAX_ROWS_BYTES', 64_000_000, 'Maximum bytes of the row input.'),
  xlsxTimeoutMs: integer(
    'ROWPRESS_XLSX_TIMEOUT_MS',
    10_000,
    'Maximum milliseconds to read an uploaded XLSX workbook.',
    1,
    LONGEST_MS,
  ),
  xlsxMaxMemoryBytes: integer(
    'ROWPRESS_XLSX_MAX_MEMORY_BYTES',
    512_000_000,
    'Maximum memory of the process that reads an uploaded XLSX workbook.',
    100_000_000,
  ),
  xlsxMaxSheetBytes: integer(
    'ROWPRESS_XLSX_MAX_SHEET_BYTES',
    20_000_000,
    'Maximum unpacked bytes of the sheet XML of an uploaded XLSX workbook.',
  ),
  rowsTimeoutMs: integer(
    'ROWPRESS_ROWS_TIMEOUT_MS',
    60_000,
    'Maximum milliseconds to read the rows of a Bulk Fill create.',
    1,
    LONGEST_MS,
  ),
  lineWaitMs: integer(
    'ROWPRESS_LINE_WAIT_MS',
    60_000,
    'Maximum milliseconds that a request waits for a free reader of PDFs, workbooks, pictures or rows.',
    1,
    LONGEST_MS,
  ),
  lineWaitingPerAccount: integer(
    'ROWPRESS_LINE_WAITING_PER_ACCOUNT',
    1000,
    'Maximum requests of one account that wait for a free reader.',
  ),
  maxAssetsEntries: integer(
    'ROWPRESS_MAX_ASSETS_ENTRIES',
    10_000,
    'Maximum pictures in the assets of a job.',
  ),
  maxAssetsEntryBytes: integer(
    'ROWPRESS_MAX_ASSETS_ENTRY_BYTES',
    20_000_000,
    'Maximum bytes of one picture in the assets of a job.',
  ),
  maxAssetsBytes: integer(
    'ROWPRESS_MAX_ASSETS_BYTES',
    500_000_000,
    'Maximum bytes of the assets of a job, packed and unpacked.',
  ),
  memoryBudgetBytes: {
    ...integer(
      'ROWPRESS_MEMORY_BUDGET_BYTES',
      Math.floor(memoryLimitBytes() / 4),
      'Maximum bytes of requests in the memory of this process; an account may use half of them.',
    ),
    computed: 'a quarter of the memory of the machine or container',
  },
  maxOutputBytes: integer('ROWPRESS_MAX_OUTPUT_BYTES', 1024 * GIB, 'Maximum bytes of the ZIP of one job.'),
  maxStoredBytes: integer('ROWPRESS_MAX_STORED_BYTES', 4 * GIB, 'Maximum bytes stored for one job.'),
  maxPreparedBytes: integer(
    'ROWPRESS_MAX_PREPARED_BYTES',
    2 * GIB,
    'Maximum bytes of prepared bases on disk; the least recently used are deleted first.',
  ),
  minFreeBytes: integer(
    'ROWPRESS_MIN_FREE_BYTES',
    512_000_000,
    'Free disk space below which new requests are rejected; 0: no minimum.',
    0,
  ),
} satisfies Record<string, Setting<unknown>>;
