import type { Clock } from '#lib/clock.ts';
import { refreshBlob, touchBlob } from '#storage/blob-records.ts';
import type { BlobStore, StagedBlob } from '#storage/blobs/blob-store.ts';
import type { Db } from '#storage/database.ts';
import type { Blobs, ByteRange, PutBlob } from './blobs.ts';

/**
 * The blob store with its records. A put records itself before it places its file: a sweep of the same content
 * that is under way holds the record until its own file is gone (retention/sweep.ts).
 */
export class BlobKeeper implements Blobs {
  readonly #store: BlobStore;
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(store: BlobStore, db: Db, clock: Clock) {
    this.#store = store;
    this.#db = db;
    this.#clock = clock;
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<PutBlob> {
    const staged = await this.#store.receive(content instanceof Uint8Array ? once(content) : content);
    try {
      return await this.keep(staged);
    } finally {
      await staged.discard();
    }
  }

  /** Receives into the temporary area only: nothing is recorded or durable until it is kept. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    return this.#store.receive(bytes);
  }

  async keep(staged: StagedBlob): Promise<PutBlob> {
    await touchBlob(this.#db, staged.digest, staged.sizeBytes, this.#clock.now());
    await staged.keep();
    return { digest: staged.digest, size: staged.sizeBytes };
  }

  touch(digest: string): Promise<boolean> {
    return refreshBlob(this.#db, digest, this.#clock.now());
  }

  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    return this.#store.read(digest, range);
  }

  async readAll(digest: string, range?: ByteRange): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.#store.read(digest, range)) parts.push(part);
    const [only] = parts;
    return parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(parts);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
