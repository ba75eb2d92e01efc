import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { contentOf } from './archive-entries.ts';
import { FileWindow } from './file-window.ts';

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
/** A larger entry is unpacked as a stream. Most PDFs of a job are far below. */
const WHOLE_BYTES = 4_000_000;

/** Computes the digests of entries. Small ones are unpacked at once, because a stream for each of 100,000 entries takes most of the time. */
export class EntryDigests {
  readonly #zip: ZipFile;
  readonly #window: FileWindow;

  constructor(zip: ZipFile, file: FileHandle) {
    this.#zip = zip;
    this.#window = new FileWindow(file);
  }

  /** Returns the SHA-256 in hex, or null if the entry is damaged. */
  async of(entry: Entry): Promise<string | null> {
    const isSmall = entry.compressedSize <= WHOLE_BYTES && entry.uncompressedSize <= WHOLE_BYTES;
    const isPlain = entry.compressionMethod === DEFLATED || entry.compressionMethod === STORED;
    try {
      return isSmall && isPlain && !entry.isEncrypted()
        ? await this.#ofWhole(entry)
        : await this.#ofStream(entry);
    } catch {
      return null;
    }
  }

  async #ofWhole(entry: Entry): Promise<string | null> {
    const at = entry.relativeOffsetOfLocalHeader;
    const header = await this.#window.read(at, LOCAL_HEADER_BYTES);
    if (header.readUInt32LE(0) !== LOCAL_HEADER) return null;
    const dataStart = at + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = await this.#window.read(dataStart, entry.compressedSize);
    const bytes =
      entry.compressionMethod === STORED
        ? packed
        : inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
    if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) return null;
    return createHash('sha256').update(bytes).digest('hex');
  }

  async #ofStream(entry: Entry): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of contentOf(this.#zip, entry)) hash.update(chunk);
    return hash.digest('hex');
  }
}
