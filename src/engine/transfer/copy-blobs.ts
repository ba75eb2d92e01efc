import { createHash } from 'node:crypto';
import { DamagedChunk } from '#lib/encryption/chunk-cipher.ts';
import { ChunkOpener } from '#lib/encryption/chunk-stream.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { dataKeyIdOf, isWholeName } from '#storage/blobs/blob-name.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import type { DataKeySource } from '#storage/blobs/data-key.ts';

type Bytes = AsyncIterable<Uint8Array>;

export interface BlobCopy {
  readonly names: readonly string[];
  /** The stored bytes of a blob. */
  read(name: string): Bytes;
  write(name: string, bytes: Bytes): Promise<void>;
  /** Decrypts encrypted blobs to verify them. */
  readonly keys: Pick<DataKeySource, 'byId'>;
  onCopied(count: number): void;
}

/** Copies stored blobs, including encrypted ones. Verifies each during the copy, so that no damaged blob is accepted. */
export async function copyBlobs({ names, read, write, keys, onCopied }: BlobCopy): Promise<void> {
  let count = 0;
  for (const name of names) {
    await write(name, checked(name, read(name), keys));
    count += 1;
    onCopied(count);
  }
}

export const writeTo = (store: BlobStore) => async (name: string, bytes: Bytes) => {
  const staged = await store.receive(bytes, name);
  await staged.keep();
};

/** Passes the bytes on. Fails at their end if their content does not match the name. */
async function* checked(name: string, bytes: Bytes, keys: BlobCopy['keys']): AsyncGenerator<Uint8Array> {
  const keyId = dataKeyIdOf(name);
  const key = keyId === undefined ? undefined : await keys.byId(keyId);
  const opener = key && new ChunkOpener(key.cipherOf(name));
  const hash = createHash('sha256');
  try {
    for await (const part of bytes) {
      if (opener === undefined) hash.update(part);
      else for (const plain of opener.push(part)) hash.update(plain);
      yield part;
    }
    if (opener !== undefined) hash.update(opener.end());
  } catch (error) {
    throw error instanceof DamagedChunk
      ? new OperatorError(`The blob ${name} is damaged: ${error.message}.`)
      : error;
  }
  // A linked object is named by its artifact. Its parts are blobs of their own, which are verified.
  if (isWholeName(name)) return;
  const digest = hash.digest('hex');
  if ((key?.nameOf(digest) ?? digest) !== name)
    throw new OperatorError(`The blob ${name} is damaged: its content is ${digest}.`);
}
