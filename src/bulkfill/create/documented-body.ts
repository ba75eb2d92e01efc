import { CELL_VALUES } from '#lib/xlsx/cell-values.ts';

/** The multipart form of a create, for the OpenAPI document. create-fields and read-form enforce it. */
const file = (description: string) => ({ type: 'string', format: 'binary', description });
const flag = (description: string) => ({
  type: 'string',
  enum: ['true', 'false'],
  default: 'false',
  description,
});

export const createBodySchema = {
  type: 'object',
  required: ['pdf', 'doqlo_file', 'max_failed_row_percent'],
  additionalProperties: false,
  properties: {
    pdf: file('The source PDF'),
    doqlo_file: file('The sealed layout package'),
    max_failed_row_percent: {
      type: 'string',
      pattern: '^(0|[1-9][0-9]?|100)$',
      description: 'The job fails once more rows than this have failed',
    },
    rows_json: { type: 'string', description: 'Rows as a JSON array of objects keyed column_0, column_1, …' },
    csv_file: file('Rows as CSV, positional, without a header unless csv_header says so'),
    rows_file: file('Rows as an XLSX workbook: the first visible sheet'),
    assets_file: file('A ZIP of pictures (PNG, JPEG) that image and signature cells name by their base name'),
    rows_from: {
      type: 'string',
      description:
        'Stored rows of another surface, such as subscribers:status=Active or ingest:PARTNER/master/skus. The key needs the scope read:subscribers or read:ingest.',
    },
    csv_header: flag('Whether line 1 of the CSV is skipped'),
    csv_encoding: {
      type: 'string',
      description:
        'The encoding of the CSV, a label of the WHATWG Encoding standard; by default that of the byte order mark, else UTF-8',
    },
    cell_values: {
      type: 'string',
      enum: [...CELL_VALUES],
      default: 'shown',
      description:
        'shown: workbook cells as the spreadsheet displays them; raw: plain numbers, ISO 8601 dates, true and false',
    },
    include_stickers: flag('Whether sticker overlays are drawn'),
    flatten_forms: flag('Whether form fields become page content below the overlays'),
    filename_columns: {
      type: 'string',
      description: 'JSON array of at most 3 column names whose values are used in file names',
    },
    delivery_mode: { type: 'string', enum: ['response', 'webhook'], default: 'response' },
    webhook_url: {
      type: 'string',
      format: 'uri',
      description: 'Public https URL of the receiver; only with delivery_mode=webhook',
    },
    webhook_secret: {
      type: 'string',
      minLength: 1,
      maxLength: 256,
      description: 'Secret that signs the webhooks; only with delivery_mode=webhook',
    },
    dry_run: flag('Whether to produce only manifest.json'),
  },
  oneOf: [
    { required: ['rows_json'] },
    { required: ['csv_file'] },
    { required: ['rows_file'] },
    { required: ['rows_from'] },
  ],
};
