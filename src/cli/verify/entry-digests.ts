import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { contentOf, hasOneName } from './archive-entries.ts';
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

  /** Returns the SHA-256 in hex, or null if the entry is damaged or has more than one name. */
  async of(entry: Entry): Promise<string | null> {
    const isSmall = entry.compressedSize <= WHOLE_BYTES && entry.uncompressedSize <= WHOLE_BYTES;
    const isPlain = entry.compressionMethod === DEFLATED || entry.compressionMethod === STORED;
    const dataStart = await this.#dataStart(entry);
    if (dataStart === null) return null;
    try {
      return isSmall && isPlain && !entry.isEncrypted()
        ? await this.#ofWhole(entry, dataStart)
        : await this.#ofStream(entry);
    } catch {
      return null;
    }
  }

  /** Whether the entry has a header with the same name as the directory, and no other name. */
  async isNamedOnce(entry: Entry): Promise<boolean> {
    return (await this.#dataStart(entry)) !== null;
  }

  async #dataStart(entry: Entry): Promise<number | null> {
    const at = entry.relativeOffsetOfLocalHeader;
    try {
      const header = await this.#window.read(at, LOCAL_HEADER_BYTES);
      if (header.readUInt32LE(0) !== LOCAL_HEADER) return null;
      const nameLength = header.readUInt16LE(26);
      const length = nameLength + header.readUInt16LE(28);
      const names = await this.#window.read(at + LOCAL_HEADER_BYTES, length);
      const isNamedOnce = hasOneName(entry, names.subarray(0, nameLength), names.subarray(nameLength));
      return isNamedOnce ? at + LOCAL_HEADER_BYTES + length : null;
    } catch {
      return null;
    }
  }

  async #ofWhole(entry: Entry, dataStart: number): Promise<string | null> {
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
