import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { DecimalSigns } from '#fill/values/decimal-signs.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import type { Slice } from '#lib/records/slice.ts';
import type { ColumnInput, LabelledColumn } from '#lib/rows/labelled-rows.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { refuse } from '../errors.ts';
import type { RowSource } from '../rows/normalise-rows.ts';
import { PICTURE_SLICE_ROWS } from '../rows/row-lines.ts';
import { rowsOfWorkbook } from '../rows/rows-of-workbook.ts';
import type { CreateParts } from './create-parts.ts';
import type { CreateForm, RowInput } from './read-form.ts';
import type { SelectedCells } from './row-sources.ts';

/** The row options of a create. */
export type RowForm = Pick<CreateForm, 'rows' | 'csvHeader' | 'csvEncoding' | 'cellValues' | 'assets'>;

/** The rows in their normal form, not yet stored. Their digest is part of the request's identity. */
export interface StagedRows {
  readonly staged: StagedBlob;
  /** Digest of the rows in the order of the input. */
  readonly digest: string;
  /** Number of documents: of rows, or of groups. */
  readonly count: number;
  /** Number of rows. */
  readonly inputCount: number;
  readonly slices: readonly Slice[];
  readonly decimalSigns: DecimalSigns;
  /** Only if columns are matched by label. */
  readonly columns?: readonly ColumnInput[] | undefined;
  /** The header of a CSV whose columns are matched by position. */
  readonly header?: readonly string[] | undefined;
}

/**
 * `labels`: the columns that the names of the input are matched to; undefined matches by position. `groupBy`: keys of the columns that
 * rows are grouped by; undefined makes every row a document.
 */
export async function stageRows(
  parts: CreateParts,
  turn: Turn,
  form: RowForm,
  labels?: readonly LabelledColumn[],
  groupBy?: readonly string[],
): Promise<StagedRows> {
  const { rows, csvHeader: header, csvEncoding: encoding } = form;
  const slices = { labels, groupBy, ...(form.assets !== undefined && { sliceRows: PICTURE_SLICE_ROWS }) };
  if (rows.format === 'json' || rows.format === 'csv')
    return normalised(parts, turn, {
      path: rows.part.file.path,
      format: rows.format,
      header,
      encoding,
      ...slices,
    });
  if (rows.format === 'xlsx') return sheetRows(parts, turn, rows.part.file.path, form, slices);
  const json = await parts.blobs.receive(await storedRows(parts, turn, rows));
  try {
    return await normalised(parts, turn, { path: json.path, format: 'json', header: false, ...slices });
  } finally {
    await json.discard();
  }
}

/** Converts the rows of a workbook from file to file in a reader process. */
async function sheetRows(
  parts: CreateParts,
  turn: Turn,
  workbook: string,
  { csvHeader: header, cellValues: values }: RowForm,
  slices: Pick<RowSource, 'sliceRows' | 'labels' | 'groupBy'>,
): Promise<StagedRows> {
  const { maxRowsBytes: maxBytes, workbooks } = parts.settings;
  // Beside the upload in the temporary area, where files left by a crash are deleted.
  const path = `${workbook}.sheet`;
  try {
    const read = await parts.line.run(turn, (signal) =>
      rowsOfWorkbook(
        workbook,
        { header: header && slices.labels === undefined, values },
        { path, maxBytes },
        workbooks,
        signal,
      ),
    );
    if (!read.ok) {
      if (read.costly) await parts.noteCostly(turn.owner);
      throw refuse(read.code, read.message);
    }
    return await normalised(parts, turn, { path, format: 'sheet', header: false, ...slices });
  } finally {
    await rm(path, { force: true });
  }
}

/** Writes the stored rows of another surface as the text of a `rows_json`. */
async function storedRows(
  parts: CreateParts,
  turn: Turn,
  rows: Extract<RowInput, { format: 'stored' }>,
): Promise<AsyncIterable<Uint8Array>> {
  const selected = await parts.rowSources.find(turn.owner, rows.selection);
  if (selected === undefined)
    throw refuse('INVALID_FIELD', 'rows_from does not name a stored selection of this account.');
  return selectionJson(selected);
}

async function normalised(
  { settings, rowReaders, blobs, noteCostly }: CreateParts,
  turn: Turn,
  source: Omit<RowSource, 'limits' | 'output'>,
): Promise<StagedRows> {
  const { maxRows, maxColumns, maxRowsBytes: maxBytes } = settings;
  // Beside the upload in the temporary area, where files left by a crash are deleted.
  const output = `${source.path}.rows`;
  try {
    const limits = { maxRows, maxColumns, maxBytes };
    const read = await rowReaders.normalise({ ...source, limits, output }, turn);
    if (!read.ok) {
      if (read.costly) await noteCostly(turn.owner);
      throw refuse(read.code, read.message);
    }
    const staged = await blobs.receive(contentOf(output));
    const { count, slices, decimalSigns, columns, header, inputCount = count } = read;
    const digest = source.groupBy === undefined ? staged.digest : read.sha256;
    return { staged, digest, count, inputCount, slices, decimalSigns, columns, header };
  } finally {
    await rm(output, { force: true });
  }
}

/** Opens the file on the first read: an unread stream that fails would have no error handler. */
async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 1 << 20 });
}

async function* selectionJson(selected: SelectedCells): AsyncGenerator<Uint8Array> {
  let separator = '[';
  for await (const batch of selected) {
    if (batch.length === 0) continue;
    yield Buffer.from(separator + batch.map((row) => JSON.stringify(row)).join(','));
    separator = ',';
  }
  yield Buffer.from(separator === '[' ? '[]' : ']');
}
