import { readFileSync, writeFileSync } from 'node:fs';

/** Writes a generated file, or with `--check` only says (by its exit code) whether it is fresh. */
export function writeOrCheck(path: string, content: string, command: string): void {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, content);
    console.error(`wrote ${path}`);
    return;
  }
  if (readFileSync(path, 'utf8') === content) return;
  console.error(`${path} is not fresh; run: ${command}`);
  process.exitCode = 1;
}
