import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { refuse } from '../../lib/errors/api-error.ts';
import type { StagedBlob } from '../../storage/blobs/blob-store.ts';
import { PICTURE_SLICE_ROWS, type RowSlice } from '../rows/normalise-rows.ts';
import { rowsOfWorkbook } from '../rows/rows-of-workbook.ts';
import type { CreateParts } from './create-parts.ts';
import type { CreateForm, RowInput } from './read-form.ts';
import type { SelectedRows } from './row-sources.ts';

/** The rows in their normal form, not yet kept. Its digest is the rows' part of the request's identity. */
export interface StagedRows {
  readonly staged: StagedBlob;
  readonly count: number;
  readonly slices: readonly RowSlice[];
}

export async function stageRows(
  parts: CreateParts,
  accountId: string,
  { rows, csvHeader, assets }: Pick<CreateForm, 'rows' | 'csvHeader' | 'assets'>,
): Promise<StagedRows> {
  const slices = assets === undefined ? {} : { sliceRows: PICTURE_SLICE_ROWS };
  if (rows.format === 'json' || rows.format === 'csv')
    return normalised(parts, rows.part.file.path, rows.format, csvHeader, slices);
  const json = await parts.blobs.receive(await asJson(parts, accountId, rows, csvHeader));
  try {
    return await normalised(parts, json.path, 'json', false, slices);
  } finally {
    await json.discard();
  }
}

/** Rows that come in another form, as the text of a `rows_json`. */
async function asJson(
  parts: CreateParts,
  accountId: string,
  rows: Extract<RowInput, { format: 'xlsx' | 'stored' }>,
  csvHeader: boolean,
): Promise<AsyncIterable<Uint8Array>> {
  if (rows.format === 'xlsx') {
    const read = await parts.judge.inTurn(() =>
      rowsOfWorkbook(rows.part.file.path, csvHeader, parts.settings.maxRowsBytes),
    );
    if (!read.ok) throw refuse('bulkfill', read.code, read.message);
    return pieces([read.json]);
  }
  const selected = await parts.rowSources.find(accountId, rows.selection);
  if (selected === undefined)
    throw refuse('bulkfill', 'INVALID_FIELD', 'rows_from does not name a stored selection of this account.');
  return selectionJson(selected);
}

async function normalised(
  { settings, threads, blobs }: CreateParts,
  path: string,
  format: 'json' | 'csv',
  header: boolean,
  slices: { readonly sliceRows?: number },
): Promise<StagedRows> {
  const { maxRows, maxColumns, maxRowsBytes: maxBytes } = settings;
  // Beside the upload, in the temporary area, where a crash's leftovers are swept.
  const output = `${path}.rows`;
  try {
    const read = await threads.normalise({
      path,
      format,
      header,
      limits: { maxRows, maxColumns, maxBytes },
      output,
      ...slices,
    });
    if (!read.ok) throw refuse('bulkfill', read.code, read.message);
    const staged = await blobs.receive(contentOf(output));
    return { staged, count: read.count, slices: read.slices };
  } finally {
    await rm(output, { force: true });
  }
}

/** Opened when it is read: a stream that nobody takes over would fail with nobody to hear it. */
async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 1 << 20 });
}

async function* selectionJson(selected: SelectedRows): AsyncGenerator<Uint8Array> {
  let separator = '[';
  for await (const batch of selected) {
    if (batch.length === 0) continue;
    yield Buffer.from(separator + batch.map((row) => JSON.stringify(row)).join(','));
    separator = ',';
  }
  yield Buffer.from(separator === '[' ? '[]' : ']');
}

async function* pieces(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
