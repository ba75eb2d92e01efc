import type { Blobs } from '#engine/blobs.ts';
import { linesOf } from '#lib/records/lines.ts';
import type { Slice } from '#lib/records/slice.ts';
import type { ExportInput } from '../export-input.ts';
import { GroupSlices } from '../rows/row-lines.ts';
import { lineOf, type PatchedRow } from './retry-rows.ts';

const decoder = new TextDecoder();

/**
 * The selected groups of an earlier job, in their normal form and order, with the replacement rows. A row stays in its group,
 * whatever the values of its replacement are.
 */
export class RetryGroups {
  readonly #blobs: Blobs;
  readonly #rows: ExportInput['rows'];
  readonly #chosen: ReadonlySet<number>;
  readonly #patches: Map<number, string>;
  readonly #slices: GroupSlices;
  #count = 0;

  constructor(
    blobs: Blobs,
    rows: ExportInput['rows'],
    chosen: readonly number[],
    patches: readonly PatchedRow[],
    sliceRows?: number,
  ) {
    this.#blobs = blobs;
    this.#rows = rows;
    this.#chosen = new Set(chosen);
    this.#patches = new Map(patches.map(({ row_number, cells }) => [row_number, lineOf(cells)]));
    this.#slices = new GroupSlices(sliceRows);
  }

  /** Must be read to the end before the other members are used. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for (const slice of this.#rows.slices) {
      const bytes = await this.#blobs.readAll(this.#rows.blob, { start: slice.start, end: slice.end });
      const lines = Array.from(linesOf(bytes), (line) => decoder.decode(line));
      let number = slice.firstRow;
      for (let at = 0; at < lines.length; number += 1) {
        const numbers = JSON.parse(lines[at] ?? '[]') as number[];
        const rows = lines.slice(at + 1, at + 1 + numbers.length);
        at += 1 + numbers.length;
        if (!this.#chosen.has(number)) continue;
        const patched = rows.map((row, index) => this.#take(numbers[index] ?? 0) ?? row);
        const group = Buffer.from(`[${numbers.join(',')}]\n${patched.join('\n')}\n`);
        this.#slices.add(group.length);
        this.#count += numbers.length;
        yield group;
      }
    }
  }

  /** The first replacement for a row that is in no selected group. */
  get stray(): number | undefined {
    return this.#patches.keys().next().value;
  }

  /** Number of rows. */
  get inputCount(): number {
    return this.#count;
  }

  slices(): readonly Slice[] {
    return this.#slices.slices();
  }

  #take(row: number): string | undefined {
    const line = this.#patches.get(row);
    this.#patches.delete(row);
    return line;
  }
}
