import type { Codec } from './codec.ts';
import type { PreparedBase, Slot } from './prepare/prepared-base.ts';
import { checkMappedCells } from './rows/check-cells.ts';
import type { RowResult } from './rows/manifest.ts';
import type { RowCells } from './rows/row-cells.ts';
import { type RowError, type RowWarning, rowStatus } from './rows/row-outcome.ts';
import { type ObjectNumbers, objectNumbersFrom, type PdfObject } from './write/tail-object.ts';
import { TailWriter } from './write/write-tail.ts';
import type { SharedPrefix } from './zip/shared-prefix.ts';
import type { ZipRow } from './zip/zip-plan.ts';

/** What one part of the engine (overlays, native fields) contributes to a row. */
export interface RowPart {
  readonly slots: readonly SlotContent[];
  /** Further objects, new or replaced. */
  readonly objects: readonly PdfObject[];
  readonly applied: number;
  readonly skipped: number;
  readonly warnings: readonly RowWarning[];
  readonly error: RowError | null;
}

export interface SlotContent {
  readonly slot: Slot;
  readonly content: Uint8Array;
  /** A dictionary as text. */
  readonly resources: string;
}

/** `numbers` gives the row's own object numbers; they begin anew with every row. */
export type DrawPart = (cells: RowCells, numbers: ObjectNumbers) => RowPart;

export interface FilledRow {
  readonly result: RowResult;
  readonly zip: ZipRow | null;
  /** What follows the base in this row's PDF; null when the row failed. */
  readonly tail: Uint8Array | null;
}

export interface RowFillerParts {
  readonly base: PreparedBase;
  readonly prefix: Pick<SharedPrefix, 'crc32' | 'sha256'>;
  readonly codec: Codec;
  readonly draw: readonly DrawPart[];
  readonly mappedColumns: readonly string[];
  readonly maxCellChars: number;
  readonly fileName: (rowNumber: number, cells: RowCells) => string;
}

/** Fills one row after another. Nothing of one row reaches the next: the bytes depend on the row alone. */
export class RowFiller {
  readonly #parts: RowFillerParts;
  readonly #writer: TailWriter;

  constructor(parts: RowFillerParts) {
    this.#parts = parts;
    this.#writer = new TailWriter({ baseLength: parts.base.bytes.length, ...parts.base.facts }, parts.codec);
  }

  fill(rowNumber: number, cells: RowCells): FilledRow {
    const { mappedColumns, maxCellChars, draw, base } = this.#parts;
    const cellError = checkMappedCells(cells, mappedColumns, maxCellChars);
    if (cellError !== null) return failed(rowNumber, cellError, []);

    const numbers = objectNumbersFrom(base.facts.size);
    let applied = 0;
    let skipped = 0;
    const warnings: RowWarning[] = [];
    const writer = this.#writer;
    writer.begin();
    for (const drawPart of draw) {
      let part: RowPart;
      try {
        part = drawPart(cells, numbers);
      } catch (error) {
        return failed(rowNumber, renderFailure(error), warnings);
      }
      warnings.push(...part.warnings);
      if (part.error !== null) return failed(rowNumber, part.error, warnings);
      applied += part.applied;
      skipped += part.skipped;
      for (const { slot, content, resources } of part.slots) {
        writer.stream({ num: slot.num, dict: slot.head + resources, content });
      }
      for (const object of part.objects) writer.object(object);
    }
    return this.#produced(rowNumber, cells, writer.finish(), { applied, skipped }, warnings);
  }

  #produced(
    rowNumber: number,
    cells: RowCells,
    tail: Uint8Array,
    tally: { applied: number; skipped: number },
    warnings: readonly RowWarning[],
  ): FilledRow {
    const { prefix, codec, fileName } = this.#parts;
    const sha256 = prefix.sha256.copy();
    sha256.update(tail);
    const name = fileName(rowNumber, cells);
    return {
      result: {
        row_number: rowNumber,
        status: rowStatus(tally, null),
        file_name: name,
        applied_overlay_count: tally.applied,
        skipped_overlay_count: tally.skipped,
        warnings,
        error: null,
        sha256: sha256.digestHex(),
      },
      zip: { name, tailLength: tail.length, crc32: codec.crc32(tail, prefix.crc32) },
      tail,
    };
  }
}

function failed(rowNumber: number, error: RowError, warnings: readonly RowWarning[]): FilledRow {
  return {
    result: {
      row_number: rowNumber,
      status: 'failed',
      file_name: null,
      applied_overlay_count: 0,
      skipped_overlay_count: 0,
      warnings,
      error,
      sha256: null,
    },
    zip: null,
    tail: null,
  };
}

/** A fault while drawing fails this row and no other; the message stays free of row values. */
function renderFailure(error: unknown): RowError {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'ROW_RENDER_FAILED', message: `The row could not be drawn: ${reason.slice(0, 200)}` };
}
