import { join } from 'node:path';
import { clusterMajor } from './cluster.ts';
import { findDirectory } from './place.ts';

/** Returns the directory of the embedded database, or undefined if none has been created yet. Creates nothing. */
export function findDatabase(dataDir: string): string | undefined {
  const directory = findDirectory(dataDir);
  if (directory === undefined) return undefined;
  return clusterMajor(join(directory, 'cluster')) === undefined ? undefined : directory;
}
