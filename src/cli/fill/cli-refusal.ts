import type { CommandCode } from '#cli/command-codes.ts';
import type { RowErrorCode } from '#fill/results/row-outcome.ts';

/** The reason why nothing was filled. Its code sets the exit code. */
export interface FillRefusal {
  readonly code: CommandCode | RowErrorCode;
  readonly message: string;
  readonly details?: object;
}

/** Ends a run from any depth; `runFill` converts it to a value. */
export class CliRefusal extends Error {
  readonly refusal: FillRefusal;

  constructor(code: FillRefusal['code'], message: string, details?: object) {
    super(message);
    this.refusal = { code, message, ...(details !== undefined && { details }) };
  }
}
