import { Transform } from 'node:stream';
import { CHUNK_BYTES, type ChunkCipher, SEALED_CHUNK_BYTES } from './chunk-cipher.ts';

type Step = (index: number, last: boolean, chunk: Buffer) => Buffer;

/**
 * Splits a stream into chunks of one size. Holds a full chunk back until another byte arrives, because the last chunk
 * is sealed differently.
 */
class Chunker {
  readonly #size: number;
  readonly #step: Step;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #index: number;

  constructor(size: number, step: Step, firstIndex = 0) {
    this.#size = size;
    this.#step = step;
    this.#index = firstIndex;
  }

  *push(bytes: Uint8Array): Generator<Buffer> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes <= this.#size) return;
    const all = Buffer.concat(this.#waiting);
    let at = 0;
    for (; all.length - at > this.#size; at += this.#size)
      yield this.#step(this.#index++, false, all.subarray(at, at + this.#size));
    this.#waiting = [all.subarray(at)];
    this.#waitingBytes = all.length - at;
  }

  /** Index and bytes of the chunk that was held back. */
  rest(): { readonly index: number; readonly chunk: Buffer } {
    return { index: this.#index, chunk: Buffer.concat(this.#waiting) };
  }

  end(): Buffer {
    const { index, chunk } = this.rest();
    return this.#step(index, true, chunk);
  }
}

const sealer = (cipher: ChunkCipher) =>
  new Chunker(CHUNK_BYTES, (index, last, chunk) => cipher.seal(index, last, chunk));

/** Opens a stream that arrives in pieces. The caller passes every piece to `push`, then calls `end`. */
export class ChunkOpener extends Chunker {
  constructor(cipher: ChunkCipher, firstIndex = 0) {
    super(SEALED_CHUNK_BYTES, (index, last, chunk) => cipher.open(index, last, chunk), firstIndex);
  }
}

export async function* sealed(cipher: ChunkCipher, plain: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunker = sealer(cipher);
  for await (const bytes of plain) yield* chunker.push(bytes);
  yield chunker.end();
}

/**
 * Opens a run of chunks that begins at `firstIndex`. The stream must end with it, except that a reader which
 * stops at `lastIndex` need not see the end.
 */
export async function* opened(
  cipher: ChunkCipher,
  bytes: AsyncIterable<Uint8Array>,
  { firstIndex = 0, lastIndex = Number.POSITIVE_INFINITY } = {},
): AsyncGenerator<Buffer> {
  const chunker = new ChunkOpener(cipher, firstIndex);
  for await (const part of bytes) yield* chunker.push(part);
  const { index, chunk } = chunker.rest();
  yield index < lastIndex ? cipher.open(index, true, chunk) : cipher.openStop(index, chunk);
}

export const sealing = (cipher: ChunkCipher) => transform(sealer(cipher));
export const opening = (cipher: ChunkCipher) => transform(new ChunkOpener(cipher));

function transform(chunker: Chunker): Transform {
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      try {
        for (const chunk of chunker.push(bytes)) this.push(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        done(null, chunker.end());
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
