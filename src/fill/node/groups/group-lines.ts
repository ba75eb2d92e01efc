import { readSync } from 'node:fs';
import type { GroupIndex } from './group-index.ts';

/**
 * Yields each group in its normal form: a line with the numbers of its rows as JSON, then a line for each row. Rows that follow
 * one another in the file are read at once.
 */
export function* groupLines(rowsFile: number, index: GroupIndex): Generator<Buffer> {
  for (const numbers of index.groups()) {
    const parts: Buffer[] = [Buffer.from(`[${numbers.join(',')}]\n`)];
    for (let from = 0; from < numbers.length; ) {
      let to = from;
      while (numbers[to + 1] === (numbers[to] ?? 0) + 1) to += 1;
      const { start, end } = index.rangeOf(numbers[from] ?? 0, numbers[to] ?? 0);
      parts.push(readBytes(rowsFile, start, end));
      from = to + 1;
    }
    yield Buffer.concat(parts);
  }
}

function readBytes(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(file, bytes, at, bytes.length - at, start + at);
    if (read === 0) throw new Error('bug: the file of rows is shorter than its index');
    at += read;
  }
  return bytes;
}
