import type { RecordFound, RecordSplitter } from './record-splitter.ts';
import { type Slice, SliceCutter, type SliceLimits } from './slice.ts';

/** Cuts an input into slices while its bytes arrive. `push` and `end` return the slices that are complete. */
export class Slicer {
  readonly #cutter: SliceCutter;
  readonly #splitter: RecordSplitter;
  readonly #maxRecordBytes: number;

  constructor(limits: SliceLimits, splitter: (found: RecordFound) => RecordSplitter) {
    const cutter = new SliceCutter(limits);
    this.#cutter = cutter;
    this.#splitter = splitter((start, end, line, tooDeep) => cutter.add(start, end, line, tooDeep));
    this.#maxRecordBytes = limits.maxRecordBytes ?? Number.POSITIVE_INFINITY;
  }

  get rows(): number {
    return this.#cutter.rows;
  }

  push(chunk: Uint8Array): Slice[] {
    this.#splitter.push(chunk);
    // The records before an oversized one must not wait for its end.
    if (this.#splitter.openBytes > this.#maxRecordBytes) this.#cutter.cut();
    return this.#cutter.take();
  }

  end(): Slice[] {
    this.#splitter.end();
    this.#cutter.cut();
    return this.#cutter.take();
  }
}
