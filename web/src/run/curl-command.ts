import type { CellValues } from '#lib/xlsx/cell-values.ts';
import { outputFields } from './output-fields.ts';
import type { RunChoices } from './run-choices.ts';

export interface CurlFacts {
  /** The server's URL, with its base path. */
  readonly baseUrl: string;
  readonly pdf: string;
  readonly package: string;
  readonly rows: string;
  readonly isWorkbook: boolean;
  /** The name of the ZIP of pictures. */
  readonly pictures?: string | undefined;
  readonly header: boolean;
  readonly cellValues?: CellValues | undefined;
  readonly choices: RunChoices;
}

/** Returns the same run as a shell command. Users insert their own key; the Idempotency-Key makes a retry safe. */
export function curlCommand({
  baseUrl,
  pdf,
  package: packed,
  rows,
  isWorkbook,
  pictures,
  header,
  cellValues,
  choices,
}: CurlFacts): string {
  const form = (field: string, value: string) => `-F ${quoted(`${field}=${value}`)}`;
  const lines = [
    `curl -sS ${quoted(`${baseUrl}/v1/bulkfill/export-jobs`)}`,
    '-H "Authorization: Bearer $ROWPRESS_KEY"',
    '-H "Idempotency-Key: $(date +%F)-run-1"',
    form('pdf', `@${pdf}`),
    form('doqlo_file', `@${packed}`),
    form(isWorkbook ? 'rows_file' : 'csv_file', `@${rows}`),
    ...(pictures === undefined ? [] : [form('assets_file', `@${pictures}`)]),
    ...(header ? [form('csv_header', 'true')] : []),
    ...(isWorkbook && cellValues === 'raw' ? [form('cell_values', 'raw')] : []),
    form('max_failed_row_percent', String(choices.maxFailedRowPercent)),
    ...(choices.includeStickers ? [form('include_stickers', 'true')] : []),
    ...(choices.flattenForms ? [form('flatten_forms', 'true')] : []),
    ...outputFields(choices).map(([field, value]) => form(field, value)),
    ...(choices.filenameColumns.length > 0
      ? [form('filename_columns', JSON.stringify(choices.filenameColumns))]
      : []),
    ...(choices.webhook === null
      ? []
      : [
          form('delivery_mode', 'webhook'),
          form('webhook_url', choices.webhook.url),
          '-F "webhook_secret=$WEBHOOK_SECRET"',
        ]),
  ];
  return lines.join(' \\\n  ');
}

/** Quotes a text for the shell. A single quote closes the quotes, is escaped, and opens them again. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
