import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { faultPoint } from '../../lib/fault-points.ts';
import { ensureSecretFile } from '../secret-file.ts';
import { BlobMissing, type BlobStore, type ByteRange, type StagedBlob } from './blob-store.ts';

const TEMPORARY = 'tmp';
const IDENTITY = 'store-id';
const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Blobs as files: `<root>/ab/abcd…`. Written to `<root>/tmp`, synced, renamed, and the directory synced: after a
 * crash a name either does not exist or holds all bytes.
 */
export class DiskBlobs implements BlobStore {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(root: string): Promise<DiskBlobs> {
    await mkdir(join(root, TEMPORARY), { recursive: true, mode: 0o700 });
    return new DiskBlobs(root);
  }

  async receive(bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    const path = join(this.#root, TEMPORARY, randomBytes(16).toString('hex'));
    const file = await open(path, 'wx', 0o600);
    try {
      const { digest, sizeBytes } = await writeHashed(file, bytes);
      await file.close();
      return this.#staged(path, digest, sizeBytes);
    } catch (error) {
      await file.close().catch(() => {});
      await rm(path, { force: true });
      throw error;
    }
  }

  async *read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    if (range !== undefined && range.start >= range.end) return;
    const limits = range === undefined ? {} : { start: range.start, end: range.end - 1 };
    try {
      yield* createReadStream(this.#file(digest), { ...limits, highWaterMark: 1 << 20 });
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

  async delete(digest: string): Promise<void> {
    await rm(this.#file(digest), { force: true });
  }

  async *list(): AsyncIterable<{ digest: string; storedAt: Date }> {
    for await (const folder of await opendir(this.#root)) {
      if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
      for await (const { name } of await opendir(join(this.#root, folder.name))) {
        const found = DIGEST.test(name)
          ? await stat(join(this.#root, folder.name, name)).catch(() => undefined)
          : undefined;
        if (found !== undefined) yield { digest: name, storedAt: found.mtime };
      }
    }
  }

  async sweepTemporary(olderThan: Date): Promise<number> {
    let removed = 0;
    for await (const { name } of await opendir(join(this.#root, TEMPORARY))) {
      const path = join(this.#root, TEMPORARY, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.mtime >= olderThan) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  identity(): Promise<string> {
    return ensureSecretFile(join(this.#root, IDENTITY));
  }

  #staged(path: string, digest: string, sizeBytes: number): StagedBlob {
    let ended = false;
    const keep = async () => {
      if (ended) return;
      ended = true;
      await this.#place(path, this.#file(digest));
    };
    const discard = async () => {
      if (ended) return;
      ended = true;
      await rm(path, { force: true });
    };
    return { digest, sizeBytes, path, keep, discard };
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
    if (!DIGEST.test(digest)) throw new Error('bug: a blob is named by something that is no digest');
    return join(this.#root, digest.slice(0, 2), digest);
  }
}

async function writeHashed(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ digest: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    // `write` may take less than it is given; `writeFile` on a handle appends all of it.
    await file.writeFile(chunk);
    sizeBytes += chunk.length;
  }
  return { digest: hash.digest('hex'), sizeBytes };
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
