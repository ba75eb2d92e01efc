import type { CommandCode } from '#cli/command-codes.ts';
import type { RowErrorCode } from '#fill/results/row-outcome.ts';

/** Why nothing was filled. The code says how the command exits. */
export interface FillRefusal {
  readonly code: CommandCode | RowErrorCode;
  readonly message: string;
  readonly details?: object;
}

/** Leaves the middle of a run; `runFill` turns it into a value. */
export class CliRefusal extends Error {
  readonly refusal: FillRefusal;

  constructor(code: FillRefusal['code'], message: string, details?: object) {
    super(message);
    this.refusal = { code, message, ...(details !== undefined && { details }) };
  }
}
