import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Directory of external files to test against that are not in the repository (`CORPUS_DIR`, default `../shared/corpus`). Null
 * if absent; those tests are then reported as skipped.
 */
export function corpusDir(folder: string): string | null {
  const path = join(resolve(process.env.CORPUS_DIR ?? '../shared/corpus'), folder);
  return existsSync(path) ? path : null;
}
