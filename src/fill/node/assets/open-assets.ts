import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { AssetsUnavailable, type JobAssets, NO_JOB_ASSETS } from '#fill/draw/images/job-assets.ts';
import { ChunkCipher } from '#lib/encryption/chunk-cipher.ts';
import { openRange, sealedRange } from '#lib/encryption/chunk-range.ts';
import type { AssetSource, ZipAsset, ZipSource } from './asset-source.ts';

/** The pictures of a job, read from disk one at a time when a row needs them. */
export function openAssets(source: AssetSource | undefined): JobAssets {
  if (source === undefined) return NO_JOB_ASSETS;
  if (source.kind === 'folder') return lookup(source.files, ({ path }) => readFileSync(path));
  const read = rangeReader(source);
  return lookup(source.entries, (entry) => readEntry(read, entry));
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

/** Sizes and checksum were correct when the file was checked. A file that differs now is damaged. */
function readEntry(
  read: RangeReader,
  { offset, packedBytes, bytes, deflated, crc32: sum }: ZipAsset,
): Uint8Array {
  const packed = read(offset, packedBytes);
  if (packed.length < packedBytes) throw new Error('the file of pictures is cut short');
  const data = deflated ? inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) }) : packed;
  if (data.length !== bytes || crc32(data) !== sum) throw new Error('the file of pictures is damaged');
  return data;
}

/** Returns fewer bytes only if the file ends before the range does. */
type RangeReader = (offset: number, length: number) => Uint8Array;

function rangeReader({ path, encryption }: ZipSource): RangeReader {
  if (encryption === undefined) return (offset, length) => readRange(path, offset, length);
  const cipher = new ChunkCipher(Buffer.from(encryption.key), Buffer.from(encryption.context));
  return (start, length) => {
    if (length === 0) return new Uint8Array(0);
    const range = { start, end: start + length };
    const sealed = sealedRange(range);
    const bytes = readRange(path, sealed.start, sealed.end - sealed.start);
    return openRange(cipher, range, Buffer.from(bytes.buffer, 0, bytes.length));
  };
}

function readRange(path: string, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < length; ) {
      const read = readSync(file, bytes, at, length - at, offset + at);
      if (read === 0) return bytes.subarray(0, at);
      at += read;
    }
  } finally {
    closeSync(file);
  }
  return bytes;
}
