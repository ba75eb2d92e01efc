import { createHash, type Hash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ChunkCipher, DamagedChunk } from '#lib/encryption/chunk-cipher.ts';
import { openedRange } from '#lib/encryption/chunk-range.ts';
import { opened, sealed } from '#lib/encryption/chunk-stream.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { dataKeyIdOf } from './blob-name.ts';
import type { BlobStore, ByteRange, StagedBlob } from './blob-store.ts';
import type { DataKeySource } from './data-key.ts';

/** Content up to this size is encrypted in memory; larger content is held in a temporary file. */
const IN_MEMORY_BYTES = 1 << 20;
const READ_BYTES = 1 << 20;

/**
 * A blob store that can encrypt blobs with the data key of an account. Reads both plain and encrypted blobs, by their
 * names. Sizes and ranges are those of the content.
 */
export class EncryptedStore implements BlobStore {
  readonly #store: BlobStore;
  readonly #keys: DataKeySource;

  constructor(store: BlobStore, keys: DataKeySource) {
    this.#store = store;
    this.#keys = keys;
  }

  /** Receives a plain blob. Its temporary file is plaintext, because readers of uploads open it. */
  receive(bytes: AsyncIterable<Uint8Array>, name?: string): Promise<StagedBlob> {
    return this.#store.receive(bytes, name);
  }

  /** Receives a blob that will be encrypted. No plaintext of it is written to disk. */
  async receiveEncrypted(accountId: string, bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    const content = new Content();
    const source = content.through(bytes);
    const start = await readUpTo(IN_MEMORY_BYTES, source);
    if (content.isWhole) return this.#encrypt(accountId, content, from(start));
    // Encryption needs the name, and so the whole content. Until then a random key in memory encrypts the file.
    const passing = new ChunkCipher(randomBytes(32), Buffer.alloc(0));
    const spool = await this.#store.receive(sealed(passing, chain(start, source)));
    try {
      return await this.#encrypt(accountId, content, opened(passing, fileContent(spool.path)));
    } finally {
      await spool.discard();
    }
  }

  /** Encrypts a received plain blob and ends it. */
  async encrypt(accountId: string, staged: StagedBlob): Promise<StagedBlob> {
    try {
      return await this.#encrypt(accountId, staged, fileContent(staged.path));
    } finally {
      await staged.discard();
    }
  }

  async *read(name: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const keyId = dataKeyIdOf(name);
    if (keyId === undefined) return yield* this.#store.read(name, range);
    if (range !== undefined && range.start >= range.end) return;
    const cipher = (await this.#keys.byId(keyId)).cipherOf(name);
    try {
      if (range === undefined) yield* opened(cipher, this.#store.read(name));
      else yield* openedRange(cipher, range, (part) => this.#store.read(name, part));
    } catch (error) {
      throw error instanceof DamagedChunk ? damaged(name, error) : error;
    }
  }

  has(name: string): Promise<boolean> {
    return this.#store.has(name);
  }

  /** An encrypted blob has no file that could be read directly. */
  localPath(name: string): string | undefined {
    return dataKeyIdOf(name) === undefined ? this.#store.localPath(name) : undefined;
  }

  delete(name: string): Promise<void> {
    return this.#store.delete(name);
  }

  list(): AsyncIterable<{ readonly digest: string; readonly storedAt: Date }> {
    return this.#store.list();
  }

  sweepTemporary(olderThan: Date): Promise<number> {
    return this.#store.sweepTemporary(olderThan);
  }

  identity(): Promise<string> {
    return this.#store.identity();
  }

  async #encrypt(
    accountId: string,
    { digest, sizeBytes }: Pick<StagedBlob, 'digest' | 'sizeBytes'>,
    plain: AsyncIterable<Uint8Array>,
  ): Promise<StagedBlob> {
    const key = await this.#keys.ofAccount(accountId);
    const name = key.nameOf(digest);
    const content = new Content();
    const staged = await this.#store.receive(sealed(key.cipherOf(name), content.through(plain)), name);
    if (content.digest === digest) return { ...staged, digest, sizeBytes };
    // Kept, it would be other content under this name, encrypted with the key and the nonces of the right content.
    await staged.discard();
    throw new Error('the received content changed before it was encrypted');
  }
}

/** Bytes that cannot be decrypted. They are never returned, not even a part of a chunk. */
export function damaged(name: string, cause: DamagedChunk): SurroundingsError {
  return new SurroundingsError(
    'damaged',
    `The blob ${name} is damaged (${cause.message}): its file was changed, cut short or replaced. Restore it from a backup.`,
  );
}

/** Size and SHA-256 of the bytes that pass through. */
class Content {
  sizeBytes = 0;
  isWhole = false;
  readonly #hash: Hash = createHash('sha256');
  #digest: string | undefined;

  get digest(): string {
    this.#digest ??= this.#hash.digest('hex');
    return this.#digest;
  }

  async *through(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of bytes) {
      this.#hash.update(part);
      this.sizeBytes += part.length;
      yield part;
    }
    this.isWhole = true;
  }
}

async function readUpTo(maxBytes: number, source: AsyncGenerator<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes <= maxBytes; ) {
    const next = await source.next();
    if (next.done) break;
    parts.push(next.value);
    bytes += next.value.length;
  }
  return parts;
}

/** Opens the file on the first read: a stream that is never read would stay open. */
async function* fileContent(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: READ_BYTES });
}

async function* from(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function* chain(start: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let part = start.shift(); part !== undefined; part = start.shift()) yield part;
  yield* rest;
}
