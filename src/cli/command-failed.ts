import type { CommandCode } from '#cli/command-codes.ts';

/** An expected failure, printed as is, or as `{"code","message"}` with `--json`. Its code sets the exit code. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly code: CommandCode;

  constructor(code: CommandCode, message: string) {
    super(message);
    this.code = code;
  }
}
