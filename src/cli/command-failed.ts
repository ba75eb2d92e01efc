import type { CommandCode } from '#cli/command-codes.ts';

/** An expected refusal: printed as it is, as `{"code","message"}` with `--json`; its code says how the command exits. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly code: CommandCode;

  constructor(code: CommandCode, message: string) {
    super(message);
    this.code = code;
  }
}
