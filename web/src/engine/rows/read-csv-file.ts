import { CsvRows } from '#lib/rows/csv-rows.ts';
import { DEFAULT_ROW_LIMITS, readRows } from '#lib/rows/read-rows.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';
import type { RowsReading } from '../../project/project.ts';
import { columnKey, RowStore } from './row-store.ts';

export interface ReadRowsFile {
  readonly store: RowStore;
  readonly delimiter: string | null;
  readonly encoding: string | null;
}

/** One more than the rows of a job: the first may be a header. */
const MOST_LINES = DEFAULT_ROW_LIMITS.maxRows + 1;

/** Reads with the server's CSV reader, so that the preview shows the rows that the job will have. */
export async function readCsvFile(
  file: Blob,
  { delimiter, encoding }: Pick<RowsReading, 'delimiter' | 'encoding'>,
  onProgress: (done: number, total: number) => void,
  maxColumns: number,
): Promise<ReadRowsFile> {
  const limits = { ...DEFAULT_ROW_LIMITS, maxRows: MOST_LINES, maxColumns };
  const decoder = new CsvRows({
    header: false,
    separator: delimiter ?? undefined,
    encoding: encoding ?? undefined,
    limits,
  });
  const store = new RowStore();
  for await (const batch of readRows(chunksOf(file, onProgress), decoder, limits)) {
    for (const row of batch) store.add(cellsOf(row));
  }
  store.seal();
  return { store, delimiter: decoder.separator, encoding: decoder.encoding };
}

async function* chunksOf(
  file: Blob,
  onProgress: (done: number, total: number) => void,
): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let done = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    yield value;
    done += value.length;
    onProgress(done, file.size);
  }
}

/** Converts to positions; a row ends with its last non-blank cell. */
function cellsOf(row: RowCells): string[] {
  const cells: string[] = [];
  let left = row.size;
  for (let index = 0; left > 0; index += 1) {
    const cell = row.get(columnKey(index));
    if (cell !== undefined) left -= 1;
    cells.push(typeof cell === 'string' ? cell : '');
  }
  return cells;
}
