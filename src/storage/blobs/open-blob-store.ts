import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../lib/errors/operator-error.ts';
import { ensureDataDir } from '../data-dir.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobs } from './disk.ts';

/** The store that `ROWPRESS_BLOBS` names, or `blobs` in the data directory. */
export async function openBlobStore(settings: {
  readonly blobs: string;
  readonly dataDir: string;
}): Promise<BlobStore> {
  if (settings.blobs === '') ensureDataDir(settings.dataDir);
  const root = settings.blobs === '' ? join(settings.dataDir, 'blobs') : diskPath(settings.blobs);
  try {
    return await DiskBlobs.open(root);
  } catch (error) {
    throw new OperatorError(
      `The blob store ${root} cannot be used (${(error as Error).message}). Give this user access to it, or set ROWPRESS_BLOBS.`,
    );
  }
}

/** `file:///absolute`, `file:/absolute` or `file:relative`. */
function diskPath(setting: string): string {
  if (!setting.startsWith('file:'))
    throw new OperatorError('ROWPRESS_BLOBS names an object store, which this release cannot use yet.');
  const path = setting.slice('file:'.length);
  if (path.startsWith('//')) return fileURLToPath(setting);
  return isAbsolute(path) ? path : resolve(path);
}
