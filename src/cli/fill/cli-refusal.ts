/** Ends a command with `{"code","message"}` on stdout; 1 for a refusal, 2 for wrong usage, 3 for the threshold. */
export class CliRefusal extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2 | 3;
  readonly details: object | undefined;

  constructor(code: string, message: string, exitCode: 1 | 2 | 3 = 1, details?: object) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.details = details;
  }
}
