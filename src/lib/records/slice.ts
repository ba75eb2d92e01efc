/** A run of records in a stored input, by its bytes: one worker reads it without the rest of the input. */
export interface Slice {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Number of the first record, from 1. */
  readonly firstRow: number;
  readonly rows: number;
  /** Line of the first record, from 1. Absent if the format does not count lines. */
  readonly line?: number;
  /** The slice holds one record above the size limit. It is rejected without being read. */
  readonly oversized?: true;
  /** The slice holds one record above the depth limit. It is rejected without being read, because parsing it takes long. */
  readonly tooDeep?: true;
}

/** Returns whether the only record of this slice is rejected without being read. */
export function isUnread({ oversized, tooDeep }: Slice): boolean {
  return oversized === true || tooDeep === true;
}

export interface SliceLimits {
  readonly maxRows: number;
  /** Rows of the first slice. Each further one holds twice as many, up to `maxRows`. Absent: all hold `maxRows`. */
  readonly firstRows?: number;
  /** A larger slice holds exactly one record. */
  readonly maxBytes: number;
  /** A larger record becomes an unread slice of its own. */
  readonly maxRecordBytes?: number;
}

/** Groups records, given by their bytes in order, into slices. */
export class SliceCutter {
  readonly #limits: SliceLimits;
  /** Maximum number of rows of the open slice. */
  #rows: number;
  #start = 0;
  #end = 0;
  #line: number | undefined;
  /** Rows before the open slice, and rows in it. */
  #before = 0;
  #open = 0;
  #ready: Slice[] = [];

  constructor(limits: SliceLimits) {
    this.#limits = limits;
    this.#rows = limits.firstRows ?? limits.maxRows;
  }

  get rows(): number {
    return this.#before + this.#open;
  }

  /** `rows` is more than 1 if blank records before this one count as rows. */
  add(start: number, end: number, line?: number, tooDeep = false, rows = 1): void {
    const { maxRecordBytes = Number.POSITIVE_INFINITY, maxBytes } = this.#limits;
    const oversized = end - start > maxRecordBytes;
    if (oversized || tooDeep) {
      this.cut();
      this.#push(start, end, rows, line, oversized ? { oversized: true } : { tooDeep: true });
      return;
    }
    if (this.#open > 0 && end - this.#start > maxBytes) this.cut();
    if (this.#open === 0) {
      this.#start = start;
      this.#line = line;
    }
    this.#end = end;
    this.#open += rows;
    if (this.#open < this.#rows) return;
    this.cut();
    this.#rows = Math.min(2 * this.#rows, this.#limits.maxRows);
  }

  /** Ends the open slice. */
  cut(): void {
    const rows = this.#open;
    this.#open = 0;
    if (rows > 0) this.#push(this.#start, this.#end, rows, this.#line);
  }

  /** Returns the slices that ended since the last call. */
  take(): Slice[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  #push(
    start: number,
    end: number,
    rows: number,
    line: number | undefined,
    mark?: Pick<Slice, 'oversized' | 'tooDeep'>,
  ): void {
    const firstRow = this.#before + 1;
    this.#ready.push({ start, end, firstRow, rows, ...(line !== undefined && { line }), ...mark });
    this.#before += rows;
  }
}
