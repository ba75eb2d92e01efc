import type { CommandCode } from '../lib/errors/command-codes.ts';

/** An expected refusal: printed as it is, as `{"code","message"}` with `--json`, and exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly code: CommandCode;

  constructor(code: CommandCode, message: string) {
    super(message);
    this.code = code;
  }
}
