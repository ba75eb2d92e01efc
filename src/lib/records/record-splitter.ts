/**
 * Receives each record as soon as its end is read. `start` and `end` are offsets in the input; `line` is absent if the format does not count
 * lines.
 */
export type RecordFound = (start: number, end: number, line?: number, tooDeep?: boolean) => void;

/** Finds the records of an input while its bytes arrive. Holds no bytes. */
export interface RecordSplitter {
  push(chunk: Uint8Array): void;
  /** Throws `RecordsRefused` if the input cannot end here. */
  end(): void;
  /** Bytes so far of the record whose end is not read yet. */
  readonly openBytes: number;
}
