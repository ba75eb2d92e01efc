import type { RowCells } from './row-cells.ts';
import { RowsRefused } from './rows-refused.ts';

/** Decodes bytes into rows, chunk by chunk. Holds at most one unfinished row. */
export interface RowDecoder {
  push(chunk: Uint8Array): RowCells[];
  end(): RowCells[];
}

export interface RowLimits {
  readonly maxRows: number;
  readonly maxColumns: number;
  readonly maxBytes: number;
}

export const DEFAULT_ROW_LIMITS: RowLimits = { maxRows: 100_000, maxColumns: 5000, maxBytes: 64_000_000 };

/**
 * Yields the rows of any input in batches, with one await per chunk instead of one per row. Throws `RowsRefused` as soon as there are too
 * many rows or bytes, or at the end if there are no rows.
 */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  decoder: RowDecoder,
  limits: Pick<RowLimits, 'maxRows' | 'maxBytes'> = DEFAULT_ROW_LIMITS,
): AsyncGenerator<readonly RowCells[]> {
  let rows = 0;
  let bytes = 0;
  const counted = (batch: RowCells[]): RowCells[] => {
    rows += batch.length;
    if (rows > limits.maxRows) {
      throw new RowsRefused('TOO_MANY_ROWS', `There are more than ${limits.maxRows} rows.`);
    }
    return batch;
  };
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limits.maxBytes) {
      throw new RowsRefused('ROWS_TOO_LARGE', `The rows are larger than ${limits.maxBytes} bytes.`);
    }
    const batch = counted(decoder.push(chunk));
    if (batch.length > 0) yield batch;
  }
  const last = counted(decoder.end());
  if (last.length > 0) yield last;
  if (rows === 0) throw new RowsRefused('NO_ROWS', 'There are no rows to fill.');
}
