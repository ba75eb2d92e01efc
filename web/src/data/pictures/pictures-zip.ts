import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Zip, ZipPassThrough } from 'fflate';
import type { PictureSet } from './picture-set.ts';

/** The ZIP of a run: the one that was chosen, or the files of the folder, uncompressed and with a fixed time. Equal pictures give equal bytes. */
export async function picturesZip({ files, zip }: PictureSet): Promise<{ file: Blob; sha256: string }> {
  const file = zip ?? (await zipOf(files));
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return { file, sha256: bytesToHex(hash.digest()) };
    hash.update(value);
  }
}

const TIME = new Date(1980, 0, 1);

async function zipOf(files: ReadonlyMap<string, Blob>): Promise<Blob> {
  const parts: Blob[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
  });
  for (const [name, blob] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const entry = new ZipPassThrough(name);
    entry.mtime = TIME;
    zip.add(entry);
    entry.push(new Uint8Array(await blob.arrayBuffer()), true);
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}
