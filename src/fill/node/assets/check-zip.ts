import { crc32 } from 'node:zlib';
import { type Entry, fromFdPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import {
  AssetCounter,
  type AssetLimits,
  AssetsRefused,
  isJunk,
  quoted,
} from '#fill/draw/images/asset-limits.ts';
import { baseName } from '#fill/draw/images/job-assets.ts';
import { PICTURE_START_BYTES, pictureKind } from '#fill/draw/images/read-image.ts';
import type { ZipAsset } from './asset-source.ts';

const STORED = 0;
const DEFLATED = 8;

/**
 * Reads a ZIP of pictures completely and returns the position of each picture. Throws `AssetsRefused`. Entries are unpacked in
 * small pieces that are discarded, so a ZIP bomb costs no memory, and no more time than the limits allow.
 */
export async function checkZip(file: string | number, limits: AssetLimits): Promise<ZipAsset[]> {
  const options = { decodeStrings: false, autoClose: false };
  const opening = typeof file === 'number' ? fromFdPromise(file, options) : openPromise(file, options);
  const zip = await opening.catch(() => {
    throw new AssetsRefused('it is not a ZIP file, or it is cut short');
  });
  if (zip.entryCount > limits.maxEntries)
    throw new AssetsRefused(`it has ${zip.entryCount} entries; at most ${limits.maxEntries} are allowed`);
  const counter = new AssetCounter(limits);
  const assets: ZipAsset[] = [];
  for await (const entry of entriesOf(zip)) {
    const path = getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    );
    if (path.endsWith('/') || isJunk(path)) continue;
    const name = baseName(path);
    counter.add(name, path, entry.uncompressedSize);
    assets.push(await checkEntry(zip, entry, name, path));
  }
  zip.close();
  return assets;
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    if (error instanceof AssetsRefused) throw error;
    throw new AssetsRefused('its directory is damaged');
  }
}

async function checkEntry(zip: ZipFile, entry: Entry, name: string, path: string): Promise<ZipAsset> {
  if (entry.isEncrypted()) throw new AssetsRefused(`${quoted(path)} is encrypted`);
  const { compressionMethod, uncompressedSize: bytes, compressedSize: packedBytes } = entry;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw new AssetsRefused(`${quoted(path)} is compressed by method ${compressionMethod}; use deflate`);
  let offset: number;
  let content: Content;
  try {
    const header = await zip.readLocalFileHeaderPromise(entry);
    if (!header.fileName.equals(entry.fileNameRaw)) throw new Error('two names');
    offset = header.fileDataStart;
    content = await readContent(zip, entry);
  } catch {
    throw new AssetsRefused(`${quoted(path)} is damaged`);
  }
  if (content.bytes !== bytes || content.crc32 !== entry.crc32)
    throw new AssetsRefused(`${quoted(path)} is damaged`);
  if (pictureKind(content.start) === undefined)
    throw new AssetsRefused(`${quoted(path)} is neither a PNG nor a JPEG`);
  const deflated = compressionMethod === DEFLATED;
  return { name, offset, packedBytes, bytes, deflated, crc32: entry.crc32 };
}

interface Content {
  readonly start: Uint8Array;
  readonly bytes: number;
  readonly crc32: number;
}

/** yauzl ends the stream with an error if the number of bytes differs from that in the directory. */
async function readContent(zip: ZipFile, entry: Entry): Promise<Content> {
  let start = Buffer.alloc(0);
  let bytes = 0;
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    const piece = chunk as Buffer;
    if (start.length < PICTURE_START_BYTES)
      start = Buffer.concat([start, piece.subarray(0, PICTURE_START_BYTES)]);
    bytes += piece.length;
    sum = crc32(piece, sum);
  }
  return { start, bytes, crc32: sum };
}
