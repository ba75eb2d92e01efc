import { readFileSync, writeFileSync } from 'node:fs';

/** Writes a generated file. With `--check`, only reports by its exit code whether the file is up to date. */
export function writeOrCheck(path: string, content: string, command: string): void {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, content);
    console.error(`wrote ${path}`);
    return;
  }
  if (readFileSync(path, 'utf8') === content) return;
  console.error(`${path} is out of date; run: ${command}`);
  process.exitCode = 1;
}
