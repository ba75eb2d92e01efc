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

/** Half of a line is its digest, which nothing compresses: more effort saves 1 % and takes twice the time. */
const LEVEL = 1;
/** Whoever fills rows does not wait for the compressing thread unless it falls far behind. */
const MOST_WAITING_BYTES = 1 << 20;
/** Handing something to that thread costs a tenth of a millisecond, however little it is. */
const HANDED_BYTES = 1 << 17;

/**
 * manifest.json as an entry of the ZIP, compressed while rows are still being filled, on one of Node's own threads: of
 * 20 MB for 100,000 rows, only the compressed form is kept. The opening holds the sums and is known last, so it is
 * compressed by itself and put in front; deflate's blocks may follow each other.
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
    // Whoever finishes hears of a failure; a run that is given up does not finish.
    this.#deflated.catch(() => undefined);
  }

  /** The lines of some rows, joined by the separator. */
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

  /** False when the compressing thread has enough to do. */
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
 * The checksum of two parts from the checksums of each. A CRC is linear, so what the first part adds to the whole is what
 * it adds to as many zeros as the second part is long; `crc32` inverts what it is given and gives, so that is undone.
 */
function joinedCrc32(first: number, second: number, secondLength: number): number {
  let carried = ~first >>> 0;
  for (let left = secondLength; left > 0; left -= ZEROS.length) {
    carried = crc32(left < ZEROS.length ? ZEROS.subarray(0, left) : ZEROS, carried);
  }
  return (~carried ^ second) >>> 0;
}
