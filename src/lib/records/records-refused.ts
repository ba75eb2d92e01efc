export type RefusalReason =
  /** Bytes that are not in the encoding of the input. */
  | 'encoding'
  /** The input breaks the rules of its format. */
  | 'format'
  | 'too-many-columns'
  | 'record-too-large';

/**
 * Ends the reading of an input that cannot be accepted. An exception, because it leaves the middle of a stream. Each surface maps the
 * reason to its own error code. Messages contain a line or a record number, never a value.
 */
export class RecordsRefused extends Error {
  readonly reason: RefusalReason;
  /** Line of the fault, from 1, if the message does not contain it. */
  readonly line: number | undefined;

  constructor(reason: RefusalReason, message: string, line?: number) {
    super(message);
    this.name = 'RecordsRefused';
    this.reason = reason;
    this.line = line;
  }
}
