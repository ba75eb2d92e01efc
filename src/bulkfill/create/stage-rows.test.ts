import { mkdtempSync, ReadStream, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CreateParts } from './create-parts.ts';
import { type RowForm, stageRows } from './stage-rows.ts';

test('[BLB2] rows that the store cannot accept: are not opened, so that no unread stream can fail', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-stage-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const taken: unknown[] = [];
  const parts = {
    settings: { maxRows: 1, maxColumns: 1, maxRowsBytes: 1 },
    rowReaders: { normalise: async () => ({ ok: true, sha256: '', count: 1, slices: [] }) },
    blobs: {
      receive: async (bytes: unknown) => {
        taken.push(bytes);
        throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      },
    },
  } as unknown as CreateParts;
  const rows = { format: 'csv', part: { file: { path: join(directory, 'rows') } } };
  const form = { rows, csvHeader: false } as unknown as RowForm;
  const turn = { owner: 'account', signal: new AbortController().signal };
  await expect(stageRows(parts, turn, form)).rejects.toThrow('too many open files');
  // A read stream opens its file at once; a generator opens it on the first read.
  expect(taken.map((bytes) => bytes instanceof ReadStream)).toEqual([false]);
});
