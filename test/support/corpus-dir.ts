import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Outside files the project is run against but does not hold (`CORPUS_DIR`, default `../shared/corpus`). Null when they
 * are absent; such tests are skipped and say so.
 */
export function corpusDir(folder: string): string | null {
  const path = join(resolve(process.env.CORPUS_DIR ?? '../shared/corpus'), folder);
  return existsSync(path) ? path : null;
}
