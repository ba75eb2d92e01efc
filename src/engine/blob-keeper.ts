import type { Clock } from '#lib/clock.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { findContentDigests, refreshBlobs, touchBlob } from '#storage/blob-records.ts';
import { dataKeyIdOf, isPlainName } from '#storage/blobs/blob-name.ts';
import type { BlobStore, StagedBlob } from '#storage/blobs/blob-store.ts';
import type { EncryptedStore } from '#storage/blobs/encrypted-store.ts';
import type { Db } from '#storage/database.ts';
import type { Blobs, ByteRange, PutBlob } from './blobs.ts';

type Encryption = Pick<EncryptedStore, 'receiveEncrypted' | 'encrypt'>;

/**
 * The blob store with its records. A put writes its record before its file: a running sweep of the same content locks
 * the record until the old file is deleted (retention/sweep.ts).
 */
export class BlobKeeper implements Blobs {
  readonly #store: BlobStore;
  readonly #db: Db;
  readonly #clock: Clock;

  readonly #encryption: Encryption | undefined;

  /** With `encryption`, new blobs are encrypted. */
  constructor(store: BlobStore, db: Db, clock: Clock, encryption?: Encryption) {
    this.#store = store;
    this.#db = db;
    this.#clock = clock;
    this.#encryption = encryption;
  }

  async put(accountId: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<PutBlob> {
    const bytes = content instanceof Uint8Array ? once(content) : content;
    const received = this.#encryption?.receiveEncrypted(accountId, bytes) ?? this.#store.receive(bytes);
    return this.#place(await received);
  }

  /** Receives into the temporary area only. Nothing is recorded or durable until `keep`. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    return this.#store.receive(bytes);
  }

  /** Stores a received blob and ends it. */
  async keep(accountId: string, staged: StagedBlob): Promise<PutBlob> {
    return this.#place((await this.#encryption?.encrypt(accountId, staged)) ?? staged);
  }

  async #place(staged: StagedBlob): Promise<PutBlob> {
    try {
      if (!(await touchBlob(this.#db, staged, this.#clock.now()))) throw lostDataKey(staged.name);
      await staged.keep();
      return { digest: staged.name, size: staged.sizeBytes };
    } finally {
      await staged.discard();
    }
  }

  async touch(...digests: readonly string[]): Promise<boolean> {
    const refreshed = await refreshBlobs(this.#db, digests, this.#clock.now());
    if (refreshed === undefined) return false;
    // What a job or a project references is stored. The put of another blob may be running, or have been killed before its file.
    const found = await Promise.all(refreshed.unreferenced.map((digest) => this.#store.has(digest)));
    return found.every(Boolean);
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

  async contentDigests(names: readonly string[]): Promise<string[]> {
    const encrypted = names.filter((name) => !isPlainName(name));
    const found = encrypted.length === 0 ? undefined : await findContentDigests(this.#db, encrypted);
    return names.map((name) => {
      const digest = isPlainName(name) ? name : found?.get(name);
      if (digest === undefined) throw new Error(`bug: blob ${name} has no record`);
      return digest;
    });
  }
}

/** This process holds the key in memory, but after a restart nothing could open what it encrypts. */
function lostDataKey(name: string): SurroundingsError {
  return new SurroundingsError(
    'damaged',
    `The data key ${dataKeyIdOf(name)} has disappeared from the table data_keys. Restore its row from a backup. If there is none, restart the server: the account gets a new key, and its encrypted blobs are lost.`,
  );
}

/**
 * The error of a request whose inputs have no record although it has just put them: the database crashed in between and
 * lost the last records, which nothing referred to yet. Sending the request again puts them again.
 */
export function lostRecord(): SurroundingsError {
  return new SurroundingsError('unavailable', 'the database lost the record of an input of this request');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
