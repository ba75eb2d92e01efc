import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { AssetsUnavailable, type JobAssets, NO_JOB_ASSETS } from '#fill/draw/images/job-assets.ts';
import type { AssetSource, ZipAsset } from './asset-source.ts';

/** The pictures of a job, read from disk one at a time when a row needs them. */
export function openAssets(source: AssetSource | undefined): JobAssets {
  if (source === undefined) return NO_JOB_ASSETS;
  if (source.kind === 'folder') return lookup(source.files, ({ path }) => readFileSync(path));
  return lookup(source.entries, (entry) => readEntry(source.path, entry));
}

function lookup<T extends { readonly name: string }>(
  assets: readonly T[],
  read: (asset: T) => Uint8Array,
): JobAssets {
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  return {
    has: (name) => byName.has(name),
    read: (name) => {
      const asset = byName.get(name);
      if (asset === undefined) return undefined;
      try {
        return read(asset);
      } catch (error) {
        const { message, code } = error as NodeJS.ErrnoException;
        const unavailable = new AssetsUnavailable(`a picture of the job cannot be read: ${message}`);
        throw Object.assign(unavailable, code !== undefined && { code });
      }
    },
  };
}

/** Sizes and checksum were true when the file was checked; a file that differs now is damaged. */
function readEntry(path: string, { offset, packedBytes, bytes, deflated, crc32: sum }: ZipAsset): Uint8Array {
  const packed = readRange(path, offset, packedBytes);
  const data = deflated ? inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) }) : packed;
  if (data.length !== bytes || crc32(data) !== sum) throw new Error('the file of pictures is damaged');
  return data;
}

function readRange(path: string, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < length; ) {
      const read = readSync(file, bytes, at, length - at, offset + at);
      if (read === 0) throw new Error('the file of pictures is cut short');
      at += read;
    }
  } finally {
    closeSync(file);
  }
  return bytes;
}
