import type { PlainLog } from '../lib/plain-log.ts';

/** Results go to stdout, everything for a person's eyes on the way to stderr. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

export const stderrLog: PlainLog = {
  info: (message) => say(`rowpress: ${message}`),
  warn: (message) => say(`rowpress: ${message}`),
};

/** Columns as wide as their widest cell. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [head, ...rows])
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}
