import { randomBytes } from 'node:crypto';
import type { BlobStore } from './blob-store.ts';

/**
 * Writes, reads and deletes a small blob: every operation that the server uses. The content is random, so it cannot be an
 * existing blob. One that a crash leaves behind is deleted as an orphan.
 */
export async function probeStore(store: Pick<BlobStore, 'receive' | 'read' | 'delete'>): Promise<void> {
  const probe = randomBytes(64);
  const staged = await store.receive(once(probe));
  await staged.keep();
  const read: Uint8Array[] = [];
  for await (const part of store.read(staged.name)) read.push(part);
  await store.delete(staged.name);
  if (!Buffer.concat(read).equals(probe)) throw new Error('the store returned other bytes than were stored');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
