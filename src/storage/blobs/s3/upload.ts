import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Turnstile } from '#lib/turnstile.ts';
import type { ReceivedFile } from '../staging-area.ts';
import type { S3Multipart } from './s3-multipart.ts';
import type { S3Objects } from './s3-objects.ts';

const MIB = 1024 * 1024;
/** Up to this size one request is enough; above it, parts of at least this size. S3 requires 5 MiB or more. */
export const PART_BYTES = 8 * MIB;
/** "Amazon S3 multipart upload limits" in the S3 user guide. */
const MAX_PARTS = 10_000;
const PARTS_AT_ONCE = 2;

/**
 * Sends received files to the bucket. An object becomes visible when the store has confirmed its last byte, by one PUT
 * or by the completion of a multipart upload.
 *
 * Memory: at most `SMALL_AT_ONCE` bodies of one part, and `LARGE_AT_ONCE × PARTS_AT_ONCE` parts; others wait.
 */
const SMALL_AT_ONCE = 8;
const LARGE_AT_ONCE = 2;

export class Uploads {
  readonly #objects: S3Objects;
  readonly #multipart: S3Multipart;
  readonly #small = new Turnstile(SMALL_AT_ONCE);
  readonly #large = new Turnstile(LARGE_AT_ONCE);

  constructor(objects: S3Objects, multipart: S3Multipart) {
    this.#objects = objects;
    this.#multipart = multipart;
  }

  async send(file: ReceivedFile, key: string): Promise<void> {
    // Opened once: a sweep of the staging area may delete the name of a file that takes hours to send.
    const handle = await open(file.path, 'r');
    try {
      if (file.sizeBytes <= PART_BYTES) await this.#small.run(() => this.#sendWhole(handle, file, key));
      else await this.#large.run(() => this.#sendParts(handle, file, key));
    } finally {
      await handle.close();
    }
  }

  async #sendWhole(handle: FileHandle, { digest, sizeBytes }: ReceivedFile, key: string): Promise<void> {
    const body = Buffer.allocUnsafe(sizeBytes);
    await readFully(handle, body, 0);
    if (createHash('sha256').update(body).digest('hex') !== digest) throw changed();
    await this.#objects.put(key, body, digest);
  }

  async #sendParts(handle: FileHandle, file: ReceivedFile, key: string): Promise<void> {
    // Many requests contain the same source PDF. For a small blob this check would cost as much as it saves.
    if ((await this.#objects.size(key)) === file.sizeBytes) return;
    const uploadId = await this.#multipart.begin(key);
    try {
      const hash = createHash('sha256');
      const tags = await putParts(file.sizeBytes, {
        fill: async (body, position) => {
          await readFully(handle, body, position);
          hash.update(body);
        },
        put: (number, body) => this.#multipart.put(key, uploadId, number, body),
      });
      // The sent bytes must be the received ones.
      if (hash.digest('hex') !== file.digest) throw changed();
      const isDone = await this.#multipart.complete(key, uploadId, tags);
      if (!isDone && (await this.#objects.size(key)) !== file.sizeBytes)
        throw new Error(`the upload of blob ${file.name} was aborted from outside`);
    } catch (error) {
      // Best effort: an unavailable store cannot abort the upload. `sweepTemporary` finds it later.
      await this.#multipart.abort(key, uploadId).catch(() => {});
      throw error;
    }
  }
}

export interface PartSource {
  /** Writes the bytes of the object from `position` into the whole of `body`. Called in order, never twice at once. */
  fill(body: Buffer, position: number): Promise<void>;
  /** Sends a part and returns its tag. */
  put(number: number, body: Uint8Array): Promise<string>;
  /** The tag of a part that need not be sent again. */
  sentTag?(number: number, size: number): string | undefined;
}

/** Reads the parts of an object in order and sends several at once. Returns their tags. */
export async function putParts(sizeBytes: number, { fill, put, sentTag }: PartSource): Promise<string[]> {
  const partBytes = partSize(sizeBytes);
  const free = Array.from({ length: PARTS_AT_ONCE }, () => Buffer.allocUnsafeSlow(partBytes));
  const running = new Set<Promise<void>>();
  const tags: string[] = [];
  try {
    for (let n = 0; n * partBytes < sizeBytes; n += 1) {
      const size = Math.min(partBytes, sizeBytes - n * partBytes);
      const sentBefore = sentTag?.(n + 1, size);
      if (sentBefore !== undefined) {
        tags[n] = sentBefore;
        continue;
      }
      if (free.length === 0) await Promise.race(running);
      const buffer = free.pop();
      if (buffer === undefined) throw new Error('bug: the buffer of a sent part was not returned');
      const body = buffer.subarray(0, size);
      await fill(body, n * partBytes);
      const sent = put(n + 1, body).then((tag) => {
        tags[n] = tag;
        free.push(buffer);
        running.delete(sent);
      });
      // Awaited below. It may reject while the next part is read, and must not count as unhandled until then.
      sent.catch(() => {});
      running.add(sent);
    }
    await Promise.all(running);
  } catch (error) {
    await Promise.allSettled(running);
    throw error;
  }
  return tags;
}

/** Returns whole mebibytes: the smallest size that keeps within the allowed number of parts. */
export function partSize(sizeBytes: number): number {
  return Math.max(PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB);
}

async function readFully(handle: FileHandle, into: Buffer, position: number): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await handle.read(into, at, into.length - at, position + at);
    if (bytesRead === 0) throw changed();
    at += bytesRead;
  }
}

function changed(): Error {
  return new Error('the received file changed before it was stored');
}
