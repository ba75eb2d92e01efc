import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '#lib/backoff.ts';
import { isPlainName } from '../blob-name.ts';
import { BlobMissing, type ByteRange } from '../blob-store.ts';
import { BlobStoreError } from '../blob-store-error.ts';
import type { S3Objects } from './s3-objects.ts';

/** Consecutive failures without a byte in between. */
const MAX_CUTS = 5;

/**
 * Streams an object or a range of it. A broken connection is resumed at the same offset, which is safe because the name
 * is the digest of the content. The stream ends without an error only if every byte arrived. A plain blob that is read
 * whole is hashed, and fails at its end if it is damaged. Encrypted blobs contain their own checks.
 */
export async function* readObject(
  objects: S3Objects,
  key: string,
  digest: string,
  range?: ByteRange,
): AsyncIterable<Uint8Array> {
  const hash = range === undefined && isPlainName(digest) ? createHash('sha256') : undefined;
  let at = range?.start ?? 0;
  let end = range?.end;
  let isFirst = true;
  for (let cuts = 0; ; cuts += 1) {
    if (cuts > MAX_CUTS)
      throw new BlobStoreError('unavailable', `The blob store cut off every attempt to read blob ${digest}.`);
    if (cuts > 0) await pause(backoffMs(cuts, 50, 2_000));
    const part = await objects.get(key, at, end);
    if (part === 'missing') throw new BlobMissing(digest);
    // As with a file, a range that starts after the end is empty.
    if (part === 'beyond' && isFirst) return;
    if (part === 'beyond') throw new Error(`bug: blob ${digest} became shorter while it was read`);
    if (isFirst) end = part.end;
    isFirst = false;
    const chunks = part.body[Symbol.asyncIterator]();
    let isComplete = false;
    try {
      for (;;) {
        const next = await chunks.next().catch(() => undefined);
        isComplete = next?.done === true;
        if (next === undefined || next.done) break;
        at += next.value.length;
        if (end !== undefined && at > end)
          throw new Error(`bug: the store returned more of blob ${digest} than requested`);
        hash?.update(next.value);
        cuts = 0;
        yield next.value;
      }
    } finally {
      // The reader may have stopped early; release the connection.
      await chunks.return?.().catch(() => {});
    }
    if (end === undefined ? isComplete : at === end) break;
  }
  if (hash !== undefined && hash.digest('hex') !== digest)
    throw new Error(`bug: blob ${digest} is damaged: its content has another digest`);
}
