import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { DamagedChunk } from '#lib/encryption/chunk-cipher.ts';
import { ChunkOpener } from '#lib/encryption/chunk-stream.ts';
import { dataKeyIdOf } from '#storage/blobs/blob-name.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import type { DataKey, DataKeySource } from '#storage/blobs/data-key.ts';
import { damaged } from '#storage/blobs/encrypted-store.ts';

/** A file with the stored bytes of a blob, and the key that decrypts them if they are encrypted. */
export interface LocalBlobFile {
  readonly path: string;
  readonly encryption?: { readonly key: Uint8Array; readonly context: string };
}

/**
 * Blobs as files that threads read by position. A store on disk already has them. Blobs of an object store are copied
 * atomically into a folder of this node and deleted when no slice has used them for a while. An encrypted blob stays
 * encrypted on disk.
 */
export class LocalBlobFiles {
  readonly #store: Pick<BlobStore, 'localPath' | 'read'>;
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #keys: Pick<DataKeySource, 'byId'>;
  readonly #copying = new Map<string, Promise<void>>();

  constructor(
    store: Pick<BlobStore, 'localPath' | 'read'>,
    directory: string,
    clock: Clock,
    keys: Pick<DataKeySource, 'byId'>,
  ) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
    this.#keys = keys;
  }

  async open(digest: string): Promise<LocalBlobFile> {
    const keyId = dataKeyIdOf(digest);
    if (keyId === undefined) return { path: await this.#file(digest) };
    const key = await this.#keys.byId(keyId);
    const path = await this.#file(digest, key);
    return { path, encryption: { key: key.blobKey(digest), context: digest } };
  }

  /** Returns the path of a file with the blob's bytes. */
  async #file(digest: string, key?: DataKey): Promise<string> {
    const direct = this.#store.localPath(digest);
    if (direct !== undefined) return direct;
    const path = join(this.#directory, digest);
    const now = this.#clock.now();
    const known = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    if (known) return path;
    let copying = this.#copying.get(digest);
    if (copying === undefined) {
      copying = this.#copy(digest, path, key).finally(() => this.#copying.delete(digest));
      this.#copying.set(digest, copying);
    }
    await copying;
    return path;
  }

  /** Deletes copies that were last used before this time. */
  async sweep(unusedSince: Date): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.#directory).catch(() => [])) {
      const path = join(this.#directory, name);
      const found = await stat(path).catch(() => null);
      if (found === null || found.mtime >= unusedSince) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  async #copy(digest: string, path: string, key?: DataKey): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const aside = `${path}.${process.pid}.tmp`;
    const file = await open(aside, 'w', 0o600);
    try {
      const bytes = this.#store.read(digest);
      for await (const piece of key === undefined ? bytes : checked(digest, bytes, key))
        await file.writeFile(piece);
      await file.close();
      await rename(aside, path);
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(aside, { force: true });
      throw error;
    }
  }
}

/**
 * Passes the bytes of an encrypted blob on and fails unless they can be decrypted. A copy is read many times, so one that
 * was damaged on its way would fail every attempt.
 */
async function* checked(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  key: DataKey,
): AsyncGenerator<Uint8Array> {
  const opener = new ChunkOpener(key.cipherOf(name));
  try {
    for await (const piece of bytes) {
      for (const _ of opener.push(piece));
      yield piece;
    }
    opener.end();
  } catch (error) {
    throw error instanceof DamagedChunk ? damaged(name, error) : error;
  }
}
