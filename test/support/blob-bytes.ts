import type { BlobStore, ByteRange } from '#storage/blobs/blob-store.ts';

const CHUNK_BYTES = 1 << 20;

export async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Stores these bytes and returns the blob name. */
export async function keepBytes(store: BlobStore, bytes: Uint8Array): Promise<string> {
  const staged = await store.receive(chunks(bytes));
  await staged.keep();
  return staged.name;
}

export async function readBytes(store: BlobStore, digest: string, range?: ByteRange): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of store.read(digest, range)) parts.push(part);
  return Buffer.concat(parts);
}
