import { addressOf } from '../../shell/base-path.ts';

/** The server's base URL for programs: the origin of this page. */
export const serverAddress = (): string => `${window.location.origin}${addressOf('')}`;

const KEY = '  -H "Authorization: Bearer $ROWPRESS_KEY"';
const command = (...lines: string[]): string => lines.join(' \\\n');

export const createJobCommand = (): string =>
  command(
    `curl ${serverAddress()}/v1/bulkfill/export-jobs`,
    KEY,
    '  -H "Idempotency-Key: first-job-1"',
    '  -F pdf=@certificate.pdf',
    '  -F doqlo_file=@certificate.doqlo',
    '  -F csv_file=@people.csv',
    '  -F max_failed_row_percent=0',
  );

export const downloadCommand = (): string =>
  [
    command(`curl ${serverAddress()}/v1/bulkfill/export-jobs/$JOB_ID`, KEY),
    command(`curl ${serverAddress()}/v1/bulkfill/export-jobs/$JOB_ID/download -o documents.zip`, KEY),
  ].join('\n\n');

export const subscribersCommand = (): string =>
  command(
    `curl ${serverAddress()}/v1/jobs/subscriber-imports`,
    KEY,
    '  -H "Idempotency-Key: import-1"',
    '  -H "Content-Type: application/json"',
    `  -d '{"csv_text":"mail\\nada@example.com\\n","mappings":[{"csv_column":"mail","field":{"type":"email"}}]}'`,
  );

export const ingestCommand = (): string =>
  command(
    `curl ${serverAddress()}/wms-ingest/v1/master/uoms`,
    KEY,
    '  -H "X-Correlation-Id: $(uuidgen)"',
    '  -H "Content-Type: application/json"',
    `  -d '{"items":[{"source_id":"EA","source_version":1,"name":"Each"}]}'`,
  );

export const healthCommand = (): string => `curl ${serverAddress()}/readyz`;
