import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { refuse } from '../../lib/errors/api-error.ts';
import type { StagedBlob } from '../../storage/blobs/blob-store.ts';
import type { RowSlice } from '../rows/normalise-rows.ts';
import type { CreateParts } from './create-parts.ts';
import type { CreateForm } from './read-form.ts';

/** The rows in their normal form, not yet kept. Its digest is the rows' part of the request's identity. */
export interface StagedRows {
  readonly staged: StagedBlob;
  readonly count: number;
  readonly slices: readonly RowSlice[];
}

export async function stageRows(parts: CreateParts, { rows, csvHeader }: CreateForm): Promise<StagedRows> {
  const { maxRows, maxColumns, maxRowsBytes } = parts.settings;
  // Beside the upload, in the temporary area, where a crash's leftovers are swept.
  const output = `${rows.part.file.path}.rows`;
  try {
    const read = await parts.threads.normalise({
      path: rows.part.file.path,
      format: rows.format,
      header: csvHeader,
      limits: { maxRows, maxColumns, maxBytes: maxRowsBytes },
      output,
    });
    if (!read.ok) throw refuse('bulkfill', read.code, read.message);
    const staged = await parts.blobs.receive(createReadStream(output, { highWaterMark: 1 << 20 }));
    return { staged, count: read.count, slices: read.slices };
  } finally {
    await rm(output, { force: true });
  }
}
