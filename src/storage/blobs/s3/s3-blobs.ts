import { rm } from 'node:fs/promises';
import { blobAtPath, pathOfBlob } from '../blob-name.ts';
import type { BlobStore, ByteRange, LinkedObjects, StagedBlob } from '../blob-store.ts';
import { type ReceivedFile, StagingArea } from '../staging-area.ts';
import { readObject } from './read-object.ts';
import { type S3Settings, type S3Timing, usualTiming } from './s3-client.ts';
import { S3Connection } from './s3-connection.ts';
import { S3LinkedObjects } from './s3-linked-objects.ts';
import { S3Multipart } from './s3-multipart.ts';
import { S3Objects } from './s3-objects.ts';
import { nameStore } from './store-name.ts';
import { Uploads } from './upload.ts';

/**
 * Blobs as objects: `<prefix>/ab/abcd…`, the same layout as the disk store, so that either can be a plain copy of the
 * other. Bytes are received into a local directory, where they are hashed, and uploaded when they are kept. The store
 * must have read-after-write consistency for reads and lists; nothing else is required.
 */
export class S3Blobs implements BlobStore {
  readonly #objects: S3Objects;
  readonly #multipart: S3Multipart;
  readonly #staging: StagingArea;
  readonly #uploads: Uploads;
  readonly linked: LinkedObjects;

  private constructor(objects: S3Objects, multipart: S3Multipart, staging: StagingArea) {
    this.#objects = objects;
    this.#multipart = multipart;
    this.#staging = staging;
    this.#uploads = new Uploads(objects, multipart);
    this.linked = new S3LinkedObjects(objects, multipart);
  }

  /** Fails with a message for the operator if the store cannot be listed or named. */
  static async open(
    settings: S3Settings,
    stagingDirectory: string,
    timing: S3Timing = usualTiming,
  ): Promise<S3Blobs> {
    const connection = new S3Connection(settings, timing);
    const objects = new S3Objects(connection);
    // First: without permission to list, a missing object returns 403 instead of 404.
    await objects.listPage('', { max: 1 });
    await nameStore(objects);
    return new S3Blobs(objects, new S3Multipart(connection), await StagingArea.open(stagingDirectory));
  }

  receive(bytes: AsyncIterable<Uint8Array>, name?: string): Promise<StagedBlob> {
    return this.#staging.receive(bytes, (file) => this.#place(file), name);
  }

  async *read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    if (range !== undefined && range.start >= range.end) return;
    yield* readObject(this.#objects, pathOfBlob(digest), digest, range);
  }

  async has(digest: string): Promise<boolean> {
    return (await this.#objects.size(pathOfBlob(digest))) !== undefined;
  }

  localPath(): undefined {
    return undefined;
  }

  async delete(digest: string): Promise<void> {
    await this.#objects.delete(pathOfBlob(digest));
  }

  async *list(): AsyncIterable<{ digest: string; storedAt: Date }> {
    for await (const { key, storedAt } of this.#objects.list('')) {
      const digest = blobAtPath(key);
      if (digest !== undefined) yield { digest, storedAt };
    }
  }

  async sweepTemporary(olderThan: Date): Promise<number> {
    let removed = await this.#staging.sweep(olderThan);
    for await (const upload of this.#multipart.list()) {
      if (blobAtPath(upload.key) === undefined || upload.startedAt >= olderThan) continue;
      // A large upload may have started long ago and still be running.
      const newest = await this.#multipart.newestPart(upload);
      if (newest !== undefined && newest >= olderThan) continue;
      await this.#multipart.abort(upload.key, upload.id);
      removed += 1;
    }
    return removed;
  }

  /** Read each time, so that it also checks whether the store responds. */
  identity(): Promise<string> {
    return nameStore(this.#objects);
  }

  async #place(file: ReceivedFile): Promise<void> {
    try {
      await this.#uploads.send(file, pathOfBlob(file.name));
    } finally {
      await rm(file.path, { force: true });
    }
  }
}
