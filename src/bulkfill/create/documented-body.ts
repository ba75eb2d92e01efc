import { z } from 'zod';
import { OUTPUT_KINDS } from '#fill/output-kind.ts';
import { SHEET_ORDERS } from '#fill/sheet/sheet.ts';
import { MATCH_COLUMNS } from '#lib/rows/labelled-rows.ts';
import { CELL_VALUES } from '#lib/xlsx/cell-values.ts';

/** The multipart form of a create, for the OpenAPI document. create-fields and read-form enforce it. */
const file = (description: string) => z.string().meta({ format: 'binary', description });
const flag = (description: string) => z.enum(['true', 'false']).default('false').describe(description);

const project = z
  .string()
  .describe('Id or name of a stored project, instead of pdf and doqlo_file; Certificate@3 is its version 3');

const output = z
  .enum(OUTPUT_KINDS)
  .default('zip')
  .describe(
    'zip: one PDF per row; merged: one PDF of all rows, merged.pdf, with a bookmark per row; both: all of them. merged and both turn form fields into page content.',
  );

const points = z.number().min(0).max(14_400);
const cells = z.int().min(1).max(1000);
const sheetChoices = {
  skip: z.int().min(0).optional().describe('Labels left free on the first sheet'),
  order: z.enum(SHEET_ORDERS).optional().describe('across: row by row (default); down: column by column'),
  marks: z.boolean().optional().describe('Whether crop marks are drawn in the margins'),
};

const sheet = z
  .union([
    z.strictObject({
      preset: z.string().describe('A name that GET /v1/bulkfill/sheets lists'),
      ...sheetChoices,
    }),
    z.strictObject({
      width: points.describe('Width of the sheet'),
      height: points.describe('Height of the sheet'),
      columns: cells,
      rows: cells,
      margin_left: points.describe('From the left edge of the sheet to the first label'),
      margin_top: points.describe('From the top edge of the sheet to the first label'),
      pitch_x: points.describe('From one label to the next one in its row'),
      pitch_y: points.describe('From one label to the next one in its column'),
      label_width: points.optional().describe('Width of a label, pitch_x by default'),
      label_height: points.optional().describe('Height of a label, pitch_y by default'),
      ...sheetChoices,
    }),
  ])
  .meta({
    id: 'Sheet',
    description:
      'With output=merged or both: places page 1 of each row on sheets of labels. Sizes are in points.',
    examples: [
      { preset: 'avery-l7160', skip: 3 },
      {
        ...{ width: 595.276, height: 841.89, columns: 2, rows: 4, margin_left: 0, margin_top: 24.094 },
        ...{ pitch_x: 297.638, pitch_y: 198.425, order: 'down', marks: true },
      },
    ],
  });
const GROUP_BY =
  'Keys or labels of at most 3 columns. Rows with equal values in them become one document, whose tables show all of these rows; every other overlay shows the first one.';
const password_column = z
  .string()
  .optional()
  .describe(
    "Key or label of a column. Each row's PDF is encrypted (AES-256) with the row's value as its password; a row without a value fails with ROW_PASSWORD_BLANK. Only with output=zip.",
  );
const verify_column = z
  .string()
  .optional()
  .describe(
    'Key or label of a column. The server writes the address of each document into it, PUBLIC_URL/v/ID, at which anyone can see when and by which project the document was issued; a row with its own value fails with ROW_VERIFY_NOT_BLANK. Only if the server has ROWPRESS_VERIFY=true.',
  );

export const createBodySchema = z
  .strictObject({
    pdf: file('The source PDF').optional(),
    doqlo_file: file('The sealed layout package').optional(),
    project: project.optional(),
    max_failed_row_percent: z
      .string()
      .regex(/^(0|[1-9][0-9]?|100)$/)
      .describe('The job fails once more rows than this have failed'),
    rows_json: z.string().optional().describe('Rows as a JSON array of objects keyed column_0, column_1, …'),
    csv_file: file('Rows as CSV, positional, without a header unless csv_header says so').optional(),
    rows_file: file('Rows as an XLSX workbook: the first visible sheet').optional(),
    assets_file: file(
      'A ZIP of pictures (PNG, JPEG) that image and signature cells name by their base name',
    ).optional(),
    rows_from: z
      .string()
      .optional()
      .describe(
        'Stored rows of another surface, such as subscribers:status=Active or ingest:PARTNER/master/skus. The key needs the scope read:subscribers or read:ingest.',
      ),
    csv_header: flag('Whether line 1 of the CSV is skipped'),
    match_columns: z
      .enum(MATCH_COLUMNS)
      .default('position')
      .describe(
        'label: the first line of the CSV or sheet, or the keys of the JSON rows, are matched to the labels of the columns of the package',
      ),
    csv_encoding: z
      .string()
      .optional()
      .describe(
        'The encoding of the CSV, a label of the WHATWG Encoding standard; by default that of the byte order mark, else UTF-8',
      ),
    cell_values: z
      .enum(CELL_VALUES)
      .default('shown')
      .describe(
        'shown: workbook cells as the spreadsheet displays them; raw: plain numbers, ISO 8601 dates, true and false',
      ),
    include_stickers: flag('Whether sticker overlays are drawn'),
    flatten_forms: flag('Whether form fields become page content below the overlays'),
    filename_columns: z
      .string()
      .optional()
      .describe('JSON array of at most 3 column names whose values are used in file names'),
    delivery_mode: z
      .enum(['response', 'webhook'])
      .default('response')
      .describe('webhook: the outcome is sent to webhook_url, and the job contains no result'),
    webhook_url: z
      .url()
      .optional()
      .describe('Public https URL of the receiver; only with delivery_mode=webhook'),
    webhook_secret: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('Secret that signs the webhooks; only with delivery_mode=webhook'),
    dry_run: flag('Whether to produce only manifest.json'),
    output,
    sheet: z
      .string()
      .optional()
      .describe(
        'With output=merged or both: a sheet of labels as JSON, {"preset":"avery-l7160"} or a geometry in points; page 1 of each row is placed once per label',
      ),
    duplex: flag(
      'With output=merged or both, without sheet: whether a document with an odd number of pages is followed by a blank page of the same size, so that the next one starts on a new sheet of paper',
    ),
    password_column,
    verify_column,
    sign_manifest: flag(
      "Whether the ZIP also has manifest.sig, a signature of manifest.json with the installation's seal key",
    ),
    group_by: z.string().optional().describe(`JSON array. ${GROUP_BY}`),
  })
  .meta({
    id: 'CreateExportJobForm',
    description:
      'The inputs and options of an export job. The PDF and the package, or a project, and exactly one row input are required.',
    allOf: [
      { oneOf: [{ required: ['pdf', 'doqlo_file'] }, { required: ['project'] }] },
      {
        oneOf: [
          { required: ['rows_json'] },
          { required: ['csv_file'] },
          { required: ['rows_file'] },
          { required: ['rows_from'] },
        ],
      },
    ],
    examples: [
      {
        pdf: '(bytes of contract.pdf)',
        doqlo_file: '(bytes of contract.doqlo)',
        max_failed_row_percent: '0',
        rows_json: '[{"column_0":"Ann Lee","column_1":"2026-03-01"}]',
        filename_columns: '["column_0"]',
      },
      {
        project: 'Certificate',
        max_failed_row_percent: '0',
        csv_file: '(bytes of people.csv)',
        output: 'merged',
      },
      {
        project: 'Badge',
        max_failed_row_percent: '0',
        csv_file: '(bytes of people.csv)',
        output: 'merged',
        sheet: '{"preset":"avery-l7160","skip":3}',
      },
      {
        project: 'Payslip',
        max_failed_row_percent: '0',
        csv_file: '(bytes of people.csv)',
        csv_header: 'true',
        match_columns: 'label',
        password_column: 'Date of birth',
      },
      {
        project: 'Invoice',
        max_failed_row_percent: '0',
        csv_file: '(bytes of items.csv)',
        match_columns: 'label',
        group_by: '["Invoice"]',
      },
    ],
  });

/** The same request as JSON: the fields that are not files, with JSON types. */
const { shape } = createBodySchema;
const choice = (description: string | undefined) =>
  z
    .boolean()
    .default(false)
    .describe(description ?? '');

export const createJsonSchema = z
  .strictObject({
    project,
    rows: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('Rows as objects keyed by the labels of the columns, or column_0, column_1, …'),
    rows_from: shape.rows_from,
    max_failed_row_percent: z
      .int()
      .min(0)
      .max(100)
      .describe('The job fails once more rows than this have failed'),
    match_columns: z
      .enum(MATCH_COLUMNS)
      .default('label')
      .describe('label: the keys of the rows are matched to the labels of the columns of the package'),
    include_stickers: choice(shape.include_stickers.description),
    flatten_forms: choice(shape.flatten_forms.description),
    filename_columns: z
      .array(z.string())
      .max(3)
      .optional()
      .describe('Columns whose values are used in file names'),
    delivery_mode: shape.delivery_mode,
    webhook_url: shape.webhook_url,
    webhook_secret: shape.webhook_secret,
    dry_run: choice(shape.dry_run.description),
    output,
    sheet: sheet.optional(),
    duplex: choice(shape.duplex.description),
    password_column,
    verify_column,
    sign_manifest: choice(shape.sign_manifest.description),
    group_by: z.array(z.string()).max(3).optional().describe(GROUP_BY),
    csv_header: choice('Has no effect on JSON rows'),
    csv_encoding: z.string().optional().describe('Has no effect on JSON rows'),
    cell_values: z.enum(CELL_VALUES).default('shown').describe('Has no effect on JSON rows'),
  })
  .meta({
    id: 'CreateExportJobBody',
    description:
      'A project, its rows and the options of an export job. Exactly one of rows and rows_from is required.',
    oneOf: [{ required: ['rows'] }, { required: ['rows_from'] }],
    examples: [
      { project: 'Certificate', rows: [{ Name: 'Ann Lee', Number: 'C-0001' }], max_failed_row_percent: 0 },
      {
        project: 'Certificate',
        rows: [{ Name: 'Ann Lee', Number: 'C-0001' }],
        max_failed_row_percent: 0,
        output: 'both',
      },
      {
        project: 'Badge',
        rows: [{ Name: 'Ann Lee' }],
        max_failed_row_percent: 0,
        output: 'merged',
        sheet: { preset: 'avery-l7160', skip: 3 },
      },
      {
        project: 'Payslip',
        rows: [{ Name: 'Ann Lee', 'Date of birth': '1990-04-01' }],
        max_failed_row_percent: 0,
        password_column: 'Date of birth',
      },
      {
        project: 'Invoice',
        rows: [
          { Invoice: 'R-1', Item: 'Paper', Amount: '12.50' },
          { Invoice: 'R-1', Item: 'Pens', Amount: '3.20' },
        ],
        max_failed_row_percent: 0,
        group_by: ['Invoice'],
      },
    ],
  });
