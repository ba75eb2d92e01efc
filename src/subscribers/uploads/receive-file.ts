import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { looksLikeXlsx, readWorkbookFile } from '#fill/node/xlsx/read-workbook.ts';
import { workbookRefusal } from '#fill/node/xlsx/workbook-refusal.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import type { CsvLimits } from '../csv/csv-indexer.ts';
import { CsvRefused } from '../csv/csv-refused.ts';
import { type CsvSource, storeCsv } from '../csv/store-csv.ts';
import type { SubscribersParts } from '../parts.ts';

/**
 * Raw values: fields have types, so a number must have no separators and a date must be ISO 8601, whatever the sheet
 * displays.
 */
const FOR_IMPORTS = { form: 'csv', values: 'raw' } as const;

export type ReceiveDeps = Pick<SubscribersParts, 'blobs' | 'line' | 'workbooks'>;

/** Stores an uploaded file as CSV. Its first bytes decide between CSV and XLSX; names and content types are unreliable. */
export async function receiveFile(
  deps: ReceiveDeps,
  turn: Turn,
  bytes: AsyncIterable<Uint8Array>,
  limits: CsvLimits,
): Promise<{ readonly source: CsvSource; readonly sizeBytes: number }> {
  let sizeBytes = 0;
  const counted = (async function* () {
    for await (const chunk of bytes) {
      sizeBytes += chunk.length;
      yield chunk;
    }
  })();
  const { start, whole } = await peek(counted);
  const csv = looksLikeXlsx(start) ? fromXlsx(deps, turn, whole, limits) : whole;
  const source = await storeCsv(deps.blobs, turn.owner, csv, limits);
  return { source, sizeBytes };
}

async function peek(bytes: AsyncGenerator<Uint8Array>) {
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 4) {
    const next = await bytes.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  const whole = (async function* () {
    yield* first;
    yield* bytes;
  })();
  return { start: Buffer.concat(first), whole };
}

/** Spools the workbook to a temporary file; the reader process writes the sheet to another. */
async function* fromXlsx(
  { blobs, line, workbooks }: ReceiveDeps,
  turn: Turn,
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes }: CsvLimits,
): AsyncGenerator<Uint8Array> {
  const workbook = await blobs.receive(atMost(maxBytes, bytes));
  const path = `${workbook.path}.sheet`;
  try {
    const result = await line.run(turn, (signal) =>
      readWorkbookFile(workbook.path, FOR_IMPORTS, { path, maxBytes }, workbooks, signal),
    );
    if (result.ok) yield* createReadStream(path, { highWaterMark: PIECE_BYTES });
    else if (result.reason === 'output')
      throw new CsvRefused('csv_too_large', `The rows of the workbook are larger than ${maxBytes} bytes.`);
    else
      throw new CsvRefused(
        result.reason === 'unreadable' ? 'invalid_csv' : 'csv_too_large',
        `The file ${workbookRefusal(result)}`,
      );
  } finally {
    await Promise.all([workbook.discard(), rm(path, { force: true })]);
  }
}

const PIECE_BYTES = 262_144;

async function* atMost(maxBytes: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new CsvRefused('csv_too_large', `The file is larger than ${maxBytes} bytes.`);
    yield chunk;
  }
}
