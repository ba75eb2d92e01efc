import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { RowRanges } from '../../core/runs/row-ranges.ts';
import type { OpenRows } from './open-rows.ts';
import { quotedCsvLine } from './quoted-csv.ts';
import { type SentRow, sentRows } from './sent-rows.ts';
import { XLSX_TYPE } from './xlsx-type.ts';

/** Rows as a run sends them, with corrections, and the digest of their bytes. The request key depends on it. */
export interface RowsToSend {
  readonly file: Blob;
  readonly sha256: string;
}

/**
 * The chosen rows as a workbook if a cell shows an error, which CSV cannot represent, otherwise as CSV. If `numbered`, each
 * row has its number in the file after the last column.
 */
export async function rowsToSend(rows: OpenRows, ranges: RowRanges, numbered = false): Promise<RowsToSend> {
  const sent = sentRows(rows, ranges, numbered);
  if (rows.info.sentAs === 'csv') return csvOf(sent);
  const bytes = (await import('./write-workbook.ts')).workbookOf(sent);
  return { file: new Blob([bytes], { type: XLSX_TYPE }), sha256: bytesToHex(sha256(bytes)) };
}

const PIECE_ROWS = 5_000;

/** Builds the CSV in pieces, so that there is never a second copy of all rows as text. */
function csvOf(sent: Iterable<SentRow>): RowsToSend {
  const hash = sha256.create();
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let lines: string[] = [];
  const close = () => {
    const piece = encoder.encode(lines.join(''));
    hash.update(piece);
    pieces.push(piece);
    lines = [];
  };
  for (const { cells } of sent) {
    lines.push(quotedCsvLine(cells));
    if (lines.length === PIECE_ROWS) close();
  }
  close();
  return { file: new Blob(pieces, { type: 'text/csv' }), sha256: bytesToHex(hash.digest()) };
}
