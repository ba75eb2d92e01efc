import { type JudgedTarget, judgeTarget } from '#engine/webhooks/target-guard.ts';
import { MAX_GROUP_COLUMNS } from '#fill/group-columns.ts';
import { OUTPUT_KINDS, type OutputKind } from '#fill/output-kind.ts';
import { readSheetJson, SheetInvalid } from '#fill/sheet/read-sheet.ts';
import type { Sheet } from '#fill/sheet/sheet.ts';
import type { MultipartForm, ReceivedPart } from '#http/multipart-form.ts';
import type { HostAllowList } from '#lib/host-allow-list.ts';
import { parseJson } from '#lib/parse-json.ts';
import { encodingOf } from '#lib/records/csv/decode-text.ts';
import { MATCH_COLUMNS, type MatchColumns } from '#lib/rows/labelled-rows.ts';
import { CELL_VALUES, type CellValues } from '#lib/xlsx/cell-values.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { refuse } from '../errors.ts';
import type { ExportOptions } from '../export-input.ts';
import { type ProjectReference, parseReference } from '../projects/project-reference.ts';

export type FilePart = Extract<ReceivedPart<StagedBlob>, { kind: 'file' }>;
type TextPart = Extract<ReceivedPart<StagedBlob>, { kind: 'text' }>;

/** A create request whose fields are all well formed. */
export interface CreateForm {
  readonly source: FormSource;
  readonly rows: RowInput;
  /** A ZIP of the pictures that cells name. */
  readonly assets?: FilePart | undefined;
  readonly csvHeader: boolean;
  readonly matchColumns: MatchColumns;
  /** A label of the Encoding Standard; undefined means the byte order mark, else UTF-8. */
  readonly csvEncoding: string | undefined;
  readonly cellValues: CellValues;
  readonly options: ExportOptions;
  readonly delivery: Delivery;
}

/** The PDF and the package: uploaded with the request, or those of a project. */
export type FormSource =
  | { readonly kind: 'files'; readonly pdf: FilePart; readonly package: FilePart }
  | { readonly kind: 'project'; readonly reference: ProjectReference };

/** `stored`: rows of another surface, named by a selection. */
export type RowInput =
  | { readonly format: 'json'; readonly part: FilePart }
  | { readonly format: 'csv'; readonly part: FilePart }
  | { readonly format: 'xlsx'; readonly part: FilePart }
  | { readonly format: 'stored'; readonly selection: string; readonly sha256: string };

export type Delivery =
  | { readonly mode: 'response' }
  | {
      readonly mode: 'webhook';
      readonly url: string;
      readonly secret: string;
      readonly target: JudgedTarget;
    };

export function readForm(form: MultipartForm<StagedBlob>, allow: HostAllowList): CreateForm {
  const fields = new Fields(form);
  const source = readSource(fields);
  const limit = fields.required('max_failed_row_percent');
  if (!/^(0|[1-9][0-9]?|100)$/.test(limit))
    throw invalid('max_failed_row_percent', 'an integer from 0 to 100', limit);
  const output = readOutput(fields.text('output'));
  const sheet = readSheet(fields.text('sheet'), output);
  const passwordColumn = readPasswordColumn(fields.text('password_column'), output);
  const verifyColumn = fields.text('verify_column');
  const options: ExportOptions = {
    max_failed_row_percent: Number(limit),
    include_stickers: fields.boolean('include_stickers'),
    // The fields of many rows cannot share one document, so a merged PDF has none, and `both` draws each row once.
    flatten_forms: fields.boolean('flatten_forms') || output !== 'zip',
    filename_columns: readFilenameColumns(fields.text('filename_columns')),
    dry_run: fields.boolean('dry_run'),
    ...readGroupBy(fields.text('group_by')),
    // The default is left out, as requests were compared before the option existed.
    ...(output !== 'zip' && { output }),
    ...(sheet !== undefined && { sheet }),
    ...readDuplex(fields, output, sheet),
    ...(passwordColumn !== undefined && { password_column: passwordColumn }),
    ...(verifyColumn !== undefined && { verify_column: verifyColumn }),
    ...(fields.boolean('sign_manifest') && { sign_manifest: true as const }),
  };
  const csvHeader = fields.boolean('csv_header');
  const matchColumns = readMatchColumns(fields.text('match_columns'));
  const csvEncoding = readEncoding(fields.text('csv_encoding'));
  const cellValues = readCellValues(fields.text('cell_values'));
  return {
    source,
    rows: readRowInput(fields),
    assets: fields.findFile('assets_file'),
    csvHeader,
    matchColumns,
    csvEncoding,
    cellValues,
    options,
    delivery: readDelivery(fields, allow),
  };
}

/** Either `project`, or both files. One file alone is reported as the missing other one, as clients of the files expect. */
function readSource(fields: Fields): FormSource {
  const project = fields.text('project');
  const sent = ['pdf', 'doqlo_file'].filter((name) => fields.findFile(name) !== undefined);
  if (project === undefined && sent.length > 0)
    return { kind: 'files', pdf: fields.file('pdf'), package: fields.file('doqlo_file') };
  if (project === undefined || sent.length > 0) {
    const received = project === undefined ? 'none of them' : ['project', ...sent].join(' and ');
    throw refuse('SOURCE_CONFLICT', `Send either project, or pdf and doqlo_file; received ${received}.`);
  }
  const reference = parseReference(project);
  if (reference === undefined)
    throw invalid('project', 'the id or the name of a project, optionally with @version', project);
  return { kind: 'project', reference };
}

class Fields {
  readonly #form: MultipartForm<StagedBlob>;

  constructor(form: MultipartForm<StagedBlob>) {
    this.#form = form;
  }

  findFile(name: string): FilePart | undefined {
    const part = this.#form.parts.get(name);
    return part?.kind === 'file' ? part : undefined;
  }

  file(name: string): FilePart {
    const part = this.findFile(name);
    if (part === undefined) throw missing(name);
    return part;
  }

  findText(name: string): TextPart | undefined {
    const part = this.#form.parts.get(name);
    return part?.kind === 'text' ? part : undefined;
  }

  text(name: string): string | undefined {
    return this.findText(name)?.value;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw missing(name);
    return value;
  }

  boolean(name: string): boolean {
    const value = this.text(name) ?? 'false';
    if (value !== 'true' && value !== 'false') throw invalid(name, 'true or false', value);
    return value === 'true';
  }
}

function readEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  const encoding = encodingOf(label);
  if (encoding === null)
    throw invalid('csv_encoding', 'a label of the WHATWG Encoding standard such as windows-1252', label);
  return encoding;
}

function readMatchColumns(value: string | undefined): MatchColumns {
  const known = MATCH_COLUMNS.find((way) => way === (value ?? 'position'));
  if (known === undefined) throw invalid('match_columns', 'position or label', value ?? '');
  return known;
}

function readOutput(value: string | undefined): OutputKind {
  const known = OUTPUT_KINDS.find((kind) => kind === (value ?? 'zip'));
  if (known === undefined) throw invalid('output', 'zip, merged or both', value ?? '');
  return known;
}

function readSheet(value: string | undefined, output: OutputKind): Sheet | undefined {
  if (value === undefined) return undefined;
  if (output === 'zip')
    throw refuse('INVALID_FIELD', 'sheet is only allowed with output=merged or output=both.');
  try {
    return readSheetJson(value);
  } catch (error) {
    if (error instanceof SheetInvalid) throw refuse('INVALID_FIELD', error.message);
    throw error;
  }
}

function readDuplex(
  fields: Fields,
  output: OutputKind,
  sheet: Sheet | undefined,
): Pick<ExportOptions, 'duplex'> {
  if (!fields.boolean('duplex')) return {};
  if (output === 'zip')
    throw refuse('INVALID_FIELD', 'duplex is only allowed with output=merged or output=both.');
  if (sheet !== undefined)
    throw refuse(
      'INVALID_FIELD',
      'duplex is not allowed with sheet: rows share sheets of labels, and none of them has a back of its own.',
    );
  return { duplex: true };
}

/** The columns themselves are checked when the package is open. */
function readGroupBy(value: string | undefined): Pick<ExportOptions, 'group_by'> {
  if (value === undefined) return {};
  const parsed = parseJson(Buffer.from(value));
  const names: unknown = parsed.ok ? parsed.value : undefined;
  if (
    !Array.isArray(names) ||
    names.length > MAX_GROUP_COLUMNS ||
    !names.every((name) => typeof name === 'string')
  )
    throw invalid(
      'group_by',
      `a JSON array of at most ${MAX_GROUP_COLUMNS} keys or labels of columns`,
      value,
    );
  return names.length === 0 ? {} : { group_by: names };
}

/** The column itself is checked when the package is open. */
function readPasswordColumn(value: string | undefined, output: OutputKind): string | undefined {
  if (value !== undefined && output !== 'zip')
    throw refuse(
      'INVALID_FIELD',
      `password_column is only allowed with output=zip, but output is ${output}: the PDF of all rows has no single password.`,
    );
  return value;
}

function readCellValues(value: string | undefined): CellValues {
  const known = CELL_VALUES.find((values) => values === (value ?? 'shown'));
  if (known === undefined) throw invalid('cell_values', 'shown or raw', value ?? '');
  return known;
}

const rowFiles = [
  ['rows_json', 'json'],
  ['csv_file', 'csv'],
  ['rows_file', 'xlsx'],
] as const;

function readRowInput(fields: Fields): RowInput {
  const found: RowInput[] = rowFiles.flatMap(([name, format]) => {
    const part = fields.findFile(name);
    return part === undefined ? [] : [{ format, part }];
  });
  const stored = fields.findText('rows_from');
  if (stored !== undefined) found.push({ format: 'stored', selection: stored.value, sha256: stored.sha256 });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0)
    throw refuse(
      'ROW_INPUT_CONFLICT',
      `Send exactly one of rows_json, csv_file, rows_file and rows_from; ${found.length === 0 ? 'none' : found.length} received.`,
    );
  return only;
}

function readFilenameColumns(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  let columns: unknown;
  try {
    columns = JSON.parse(value);
  } catch {
    throw refuse(
      'INVALID_FILENAME_COLUMNS',
      'filename_columns must be a JSON array of strings; the value is not JSON.',
    );
  }
  if (!Array.isArray(columns) || !columns.every((column) => typeof column === 'string'))
    throw refuse('INVALID_FILENAME_COLUMNS', 'filename_columns must be a JSON array of strings.');
  if (columns.length > 3)
    throw refuse(
      'TOO_MANY_FILENAME_COLUMNS',
      `filename_columns names ${columns.length} columns; at most 3 are allowed.`,
    );
  return columns;
}

const MAX_SECRET_CHARS = 256;

function readDelivery(fields: Fields, allow: HostAllowList): Delivery {
  const mode = fields.text('delivery_mode') ?? 'response';
  const url = fields.text('webhook_url');
  const secret = fields.text('webhook_secret');
  if (mode === 'response') {
    const stray = url !== undefined ? 'webhook_url' : secret !== undefined ? 'webhook_secret' : undefined;
    if (stray !== undefined)
      throw refuse('INVALID_FIELD', `${stray} is only allowed with delivery_mode=webhook.`);
    return { mode };
  }
  if (mode !== 'webhook') throw invalid('delivery_mode', 'response or webhook', mode);
  if (url === undefined) throw missing('webhook_url');
  if (secret === undefined) throw missing('webhook_secret');
  const length = [...secret].length;
  if (length < 1 || length > MAX_SECRET_CHARS)
    throw refuse(
      'INVALID_FIELD',
      `webhook_secret must have 1 to ${MAX_SECRET_CHARS} characters; it has ${length}.`,
    );
  const verdict = judgeTarget(url, allow);
  if (!verdict.ok) throw refuse('INVALID_WEBHOOK_URL', `webhook_url cannot be used: ${verdict.reason}.`);
  return { mode, url, secret, target: verdict.target };
}

const missing = (field: string) => refuse('MISSING_FIELD', `The field ${field} is missing.`);
const invalid = (field: string, expected: string, came: string) =>
  refuse('INVALID_FIELD', `${field} must be ${expected}, but is ${JSON.stringify(came.slice(0, 100))}.`);
