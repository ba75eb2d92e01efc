import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflateRaw, type ZlibOptions } from 'node:zlib';
import {
  BEFORE_FIRST_LINE,
  LINE_SEPARATOR,
  MANIFEST_ENDING,
  type ManifestHead,
  manifestOpening,
} from '../rows/manifest.ts';
import type { ZipManifest } from '../zip/zip-plan.ts';
import { nativeCodec } from './native-codec.ts';

/** Half of a line is its digest, which nothing compresses: more effort saves 1 % and takes twice the time. */
const LEVEL = 1;
/** Whoever fills rows does not wait for the compressing thread unless it falls far behind. */
const MOST_WAITING_BYTES = 1 << 20;

/**
 * manifest.json as an entry of the ZIP, compressed while rows are still being filled, on one of Node's own threads: of
 * 20 MB for 100,000 rows, only the compressed form is kept. The opening holds the sums and is known last, so it is
 * compressed by itself and put in front; deflate's blocks may follow each other.
 */
export class ManifestEntry {
  readonly #lines = createDeflateRaw({
    level: LEVEL,
    writableHighWaterMark: MOST_WAITING_BYTES,
  } as ZlibOptions);
  readonly #deflated = buffer(this.#lines);
  #length = 0;
  #crc32 = 0;

  constructor() {
    // Whoever finishes hears of a failure; a run that is given up does not finish.
    this.#deflated.catch(() => undefined);
  }

  /** The lines of some rows, joined by the separator. */
  async add(lines: Uint8Array): Promise<void> {
    if (lines.length === 0) return;
    await this.#write(Buffer.from(this.#length === 0 ? BEFORE_FIRST_LINE : LINE_SEPARATOR));
    await this.#write(lines);
  }

  async finish(head: ManifestHead): Promise<ZipManifest> {
    await this.#write(Buffer.from(MANIFEST_ENDING));
    this.#lines.end();
    const opening = Buffer.from(manifestOpening(head));
    return {
      deflated: Buffer.concat([nativeCodec.deflateOpen(opening), await this.#deflated]),
      plainLength: opening.length + this.#length,
      crc32: joinedCrc32(crc32(opening), this.#crc32, this.#length),
    };
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#length += bytes.length;
    this.#crc32 = crc32(bytes, this.#crc32);
    if (!this.#lines.write(bytes)) await once(this.#lines, 'drain');
  }
}

const ZEROS = new Uint8Array(1 << 16);

/**
 * The checksum of two parts from the checksums of each. A CRC is linear, so what the first part adds to the whole is what
 * it adds to as many zeros as the second part is long.
 */
function joinedCrc32(first: number, second: number, secondLength: number): number {
  let [carried, zero] = [first, 0];
  for (let left = secondLength; left > 0; left -= ZEROS.length) {
    const zeros = left < ZEROS.length ? ZEROS.subarray(0, left) : ZEROS;
    carried = crc32(zeros, carried);
    zero = crc32(zeros, zero);
  }
  return (carried ^ zero ^ second) >>> 0;
}
