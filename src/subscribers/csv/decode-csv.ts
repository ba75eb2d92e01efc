import { CsvTextDecoder } from '#lib/records/csv/decode-text.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';
import { CsvRefused } from './csv-refused.ts';

const LF = 10;

/**
 * Bytes of an uploaded file to text (UTF-8, or UTF-16 with a byte order mark), capped. A wrong encoding is
 * refused with the line it is found on, so that a person can go and look.
 */
export async function* decodeCsv(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string> {
  const decoder = new CsvTextDecoder();
  let bytes = 0;
  let line = 1;
  let carried: Uint8Array = new Uint8Array(0);
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      return chunk === undefined ? decoder.end() : decoder.push(chunk);
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      const at = line + linesBeforeFault(carried, chunk ?? new Uint8Array(0));
      throw new CsvRefused('invalid_csv', `Line ${at}: ${error.message}`);
    }
  };
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new CsvRefused('csv_too_large', `The file is larger than ${maxBytes} bytes.`);
    const text = decode(chunk);
    line += count(chunk, LF);
    carried = chunk.slice(-3);
    if (text !== '') yield text;
  }
  const rest = decode(undefined);
  if (rest !== '') yield rest;
}

function count(bytes: Uint8Array, wanted: number): number {
  let found = 0;
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) found += 1;
  return found;
}

/**
 * Line ends of `chunk` before the first byte that is not UTF-8. `carried` is the end of the chunk before: the
 * first character may begin there.
 */
function linesBeforeFault(carried: Uint8Array, chunk: Uint8Array): number {
  const start = carried.findLastIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  const head =
    start === -1 || (carried[start] ?? 0) < 0x80 ? carried.slice(carried.length) : carried.slice(start);
  const bytes = Buffer.concat([head, chunk]);
  let lines = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LF, from);
    const lineBytes = bytes.subarray(from, end === -1 ? bytes.length : end);
    if (!isText(lineBytes) || end === -1) return lines;
    lines += 1;
    from = end + 1;
  }
  return lines;
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
