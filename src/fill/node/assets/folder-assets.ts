import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  AssetCounter,
  type AssetLimits,
  AssetsRefused,
  isJunk,
  quoted,
} from '#fill/draw/images/asset-limits.ts';
import { baseName } from '#fill/draw/images/job-assets.ts';
import { PICTURE_START_BYTES, pictureKind } from '#fill/draw/images/read-image.ts';
import type { FolderAsset } from './asset-source.ts';

/** The pictures of a folder and the folders in it, by the rules of a ZIP. Throws `AssetsRefused`. */
export async function folderAssets(folder: string, limits: AssetLimits): Promise<FolderAsset[]> {
  const counter = new AssetCounter(limits);
  const files: FolderAsset[] = [];
  const found = await readdir(folder, { recursive: true });
  for (const inside of found.sort()) {
    if (isJunk(inside)) continue;
    const file = path.join(folder, inside);
    const { size, ...kind } = await sizeOf(file);
    if (kind.isFolder) continue;
    const name = baseName(inside);
    counter.add(name, inside, size);
    if (pictureKind(await startOf(file)) === undefined)
      throw new AssetsRefused(`${quoted(inside)} is neither a PNG nor a JPEG`);
    files.push({ name, path: path.resolve(file) });
  }
  return files;
}

async function sizeOf(file: string): Promise<{ readonly isFolder: boolean; readonly size: number }> {
  const found = await stat(file);
  return { isFolder: found.isDirectory(), size: found.size };
}

async function startOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(
      new Uint8Array(PICTURE_START_BYTES),
      0,
      PICTURE_START_BYTES,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
