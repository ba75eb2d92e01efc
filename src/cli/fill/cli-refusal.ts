import type { RowErrorCode } from '../../fill/rows/row-outcome.ts';
import type { CommandCode } from '../../lib/errors/command-codes.ts';

/** Ends a command with `{"code","message"}` on stdout; its code says how it exits. */
export class CliRefusal extends Error {
  readonly code: CommandCode | RowErrorCode;
  readonly details: object | undefined;

  constructor(code: CommandCode | RowErrorCode, message: string, details?: object) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
