import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { faultPoint } from '#lib/fault-points.ts';
import { ensureSecretFile } from '../secret-file.ts';
import { isBlobName, pathOfBlob } from './blob-name.ts';
import { BlobMissing, type BlobStore, type ByteRange, type StagedBlob } from './blob-store.ts';
import { StagingArea } from './staging-area.ts';

const TEMPORARY = 'tmp';
const IDENTITY = 'store-id';

/** A slow client holds about three chunks: with 1 MiB, 40 streams took 145 MB. */
const READ_BYTES = 256 * 1024;

/**
 * Blobs as files: `<root>/ab/abcd…`. Each is written to `<root>/tmp`, synced and renamed, and the directory is synced:
 * after a crash a name either does not exist or has all its bytes.
 */
export class DiskBlobs implements BlobStore {
  readonly #root: string;
  readonly #staging: StagingArea;

  private constructor(root: string, staging: StagingArea) {
    this.#root = root;
    this.#staging = staging;
  }

  static async open(root: string): Promise<DiskBlobs> {
    return new DiskBlobs(root, await StagingArea.open(join(root, TEMPORARY)));
  }

  receive(bytes: AsyncIterable<Uint8Array>, name?: string): Promise<StagedBlob> {
    return this.#staging.receive(bytes, (file) => this.#place(file.path, this.#file(file.name)), name);
  }

  async *read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    if (range !== undefined && range.start >= range.end) return;
    const limits = range === undefined ? {} : { start: range.start, end: range.end - 1 };
    try {
      yield* createReadStream(this.#file(digest), { ...limits, highWaterMark: READ_BYTES });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BlobMissing(digest);
      throw error;
    }
  }

  async has(digest: string): Promise<boolean> {
    return stat(this.#file(digest)).then(
      () => true,
      () => false,
    );
  }

  localPath(digest: string): string {
    return this.#file(digest);
  }

  async delete(digest: string): Promise<void> {
    await rm(this.#file(digest), { force: true });
  }

  async *list(): AsyncIterable<{ digest: string; storedAt: Date }> {
    for await (const folder of await opendir(this.#root)) {
      if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
      for await (const { name } of await opendir(join(this.#root, folder.name))) {
        const found = isBlobName(name)
          ? await stat(join(this.#root, folder.name, name)).catch(() => undefined)
          : undefined;
        if (found !== undefined) yield { digest: name, storedAt: found.mtime };
      }
    }
  }

  sweepTemporary(olderThan: Date): Promise<number> {
    return this.#staging.sweep(olderThan);
  }

  identity(): Promise<string> {
    return ensureSecretFile(join(this.#root, IDENTITY));
  }

  async #place(from: string, to: string): Promise<void> {
    try {
      await syncPath(from);
      const madeFolder = await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      if (madeFolder !== undefined) await syncPath(this.#root);
      await faultPoint('blob.before-rename');
      await rename(from, to);
    } catch (error) {
      await rm(from, { force: true });
      throw error;
    }
    await syncPath(dirname(to));
    await faultPoint('blob.after-rename');
  }

  #file(digest: string): string {
    return join(this.#root, pathOfBlob(digest));
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
