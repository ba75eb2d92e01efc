import { OperatorError } from '#lib/errors/operator-error.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';

/** Copies blobs from store to store; each is hashed on the way, so a damaged one cannot pass. */
export async function copyBlobs(
  digests: Iterable<string> | AsyncIterable<string>,
  from: BlobStore,
  to: BlobStore,
  onCopied: (count: number) => void,
): Promise<number> {
  let count = 0;
  for await (const digest of digests) {
    const staged = await to.receive(from.read(digest));
    if (staged.digest !== digest) {
      await staged.discard();
      throw new OperatorError(`The blob ${digest} is damaged: its content is ${staged.digest}.`);
    }
    await staged.keep();
    count += 1;
    onCopied(count);
  }
  return count;
}
