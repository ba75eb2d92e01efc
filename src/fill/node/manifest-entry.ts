import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflateRaw, type ZlibOptions } from 'node:zlib';
import {
  BEFORE_FIRST_LINE,
  LINE_SEPARATOR,
  MANIFEST_ENDING,
  type ManifestHead,
  manifestOpening,
} from '../results/manifest.ts';
import type { ZipManifest } from '../zip/zip-plan.ts';
import { nativeCodec } from './native-codec.ts';

/** Half of a line is a digest, which does not compress: a higher level saves 1 % and takes twice as long. */
const LEVEL = 1;
/** Bytes that may be queued for compression. A run that fills rows waits only beyond that. */
const MOST_WAITING_BYTES = 1 << 20;
/** Least number of bytes per write: each write to the compressing thread costs a tenth of a millisecond. */
const HANDED_BYTES = 1 << 17;

/**
 * manifest.json as an entry of the ZIP. It is compressed while rows are being filled, on one of Node's own threads: of 20 MB
 * for 100,000 rows, only the compressed form stays in memory. The head contains the sums and is known last, so it is
 * compressed separately and put in front. Deflate blocks can be concatenated.
 */
export class ManifestEntry {
  readonly #lines = createDeflateRaw({
    level: LEVEL,
    chunkSize: HANDED_BYTES,
    writableHighWaterMark: MOST_WAITING_BYTES,
  } as ZlibOptions);
  readonly #deflated = buffer(this.#lines);
  #length = 0;
  #crc32 = 0;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;

  constructor() {
    // `finish` reports the failure. An abandoned run does not call it.
    this.#deflated.catch(() => undefined);
  }

  /** Adds the lines of some rows, joined by the separator. */
  async add(lines: Uint8Array): Promise<void> {
    if (lines.length === 0) return;
    this.#gather(this.#length === 0 ? FIRST : SEPARATOR);
    this.#gather(lines);
    if (this.#gatheredBytes >= HANDED_BYTES && !this.#hand()) await once(this.#lines, 'drain');
  }

  async finish(head: ManifestHead): Promise<ZipManifest> {
    this.#gather(Buffer.from(MANIFEST_ENDING));
    this.#hand();
    this.#lines.end();
    const opening = Buffer.from(manifestOpening(head));
    return {
      deflated: Buffer.concat([nativeCodec.deflateOpen(opening), await this.#deflated]),
      plainLength: opening.length + this.#length,
      crc32: joinedCrc32(crc32(opening), this.#crc32, this.#length),
    };
  }

  #gather(bytes: Uint8Array): void {
    this.#length += bytes.length;
    this.#crc32 = crc32(bytes, this.#crc32);
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
  }

  /** Returns false if the compressing thread is behind. */
  #hand(): boolean {
    const ready = this.#lines.write(Buffer.concat(this.#gathered, this.#gatheredBytes));
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return ready;
  }
}

const FIRST = Buffer.from(BEFORE_FIRST_LINE);
const SEPARATOR = Buffer.from(LINE_SEPARATOR);
const ZEROS = new Uint8Array(1 << 16);

/**
 * Combines the checksums of two parts. A CRC is linear: the first part contributes to the whole what it contributes to as many
 * zeros as the second part is long. `crc32` inverts its input and output, so that is undone.
 */
function joinedCrc32(first: number, second: number, secondLength: number): number {
  let carried = ~first >>> 0;
  for (let left = secondLength; left > 0; left -= ZEROS.length) {
    carried = crc32(left < ZEROS.length ? ZEROS.subarray(0, left) : ZEROS, carried);
  }
  return (~carried ^ second) >>> 0;
}
