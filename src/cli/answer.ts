import { type CommandCode, exitOf } from '#cli/command-codes.ts';

/**
 * The reason why a command did nothing. With `--json` a command prints one JSON object on standard output, otherwise
 * plain lines; messages and progress always go to standard error. Exit codes: 0 success, 1 failure, 2 wrong usage, 3
 * threshold exceeded.
 */
export interface CommandRefusal {
  readonly code: CommandCode;
  readonly message: string;
}

export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Reports why nothing was done. With `--json`, the refusal is the JSON result. */
export function refuse({ code, message }: CommandRefusal, json: boolean): void {
  if (json) printJson({ code, message });
  tell(`rowpress: ${message} (${code})`);
  process.exitCode = exitOf(code);
}
