import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '#lib/make-folders.ts';
import type { StagedBlob } from './blob-store.ts';

/** A received file with its size and digest. */
export type ReceivedFile = Pick<StagedBlob, 'path' | 'name' | 'digest' | 'sizeBytes'>;

/** A directory for received and hashed bytes until a store accepts them. Files left by a crash are deleted by age. */
export class StagingArea {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async open(directory: string): Promise<StagingArea> {
    makeFolders(directory, 0o700);
    return new StagingArea(directory);
  }

  /** `place` makes the blob durable and visible, and removes the file from here, whether it succeeds or fails. */
  async receive(
    bytes: AsyncIterable<Uint8Array>,
    place: (file: ReceivedFile) => Promise<void>,
    name?: string,
  ): Promise<StagedBlob> {
    const path = join(this.#directory, randomBytes(16).toString('hex'));
    const file = await open(path, 'wx', 0o600);
    try {
      const { digest, sizeBytes } = await writeHashed(file, bytes);
      await file.close();
      return staged({ path, name: name ?? digest, digest, sizeBytes }, place);
    } catch (error) {
      await file.close().catch(() => {});
      await rm(path, { force: true });
      throw error;
    }
  }

  async sweep(olderThan: Date): Promise<number> {
    let removed = 0;
    for await (const { name } of await opendir(this.#directory)) {
      const path = join(this.#directory, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.mtime >= olderThan) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }
}

function staged(file: ReceivedFile, place: (file: ReceivedFile) => Promise<void>): StagedBlob {
  let ended = false;
  const keep = async () => {
    if (ended) return;
    ended = true;
    await place(file);
  };
  const discard = async () => {
    if (ended) return;
    ended = true;
    await rm(file.path, { force: true });
  };
  return { ...file, keep, discard };
}

async function writeHashed(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ digest: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    // `write` may write less than it is given; `writeFile` on a handle writes all of it.
    await file.writeFile(chunk);
    sizeBytes += chunk.length;
  }
  return { digest: hash.digest('hex'), sizeBytes };
}
