import type { BlobStore } from '#storage/blobs/blob-store.ts';
import { DataKey, type DataKeySource } from '#storage/blobs/data-key.ts';
import { EncryptedStore } from '#storage/blobs/encrypted-store.ts';

/** Derives one key per account without a database, the same in every run. */
export function fixedDataKeys(): DataKeySource {
  const keyOf = (id: string) => new DataKey(id, Buffer.alloc(32, id));
  return {
    ofAccount: async (accountId) =>
      keyOf(Buffer.from(accountId).toString('hex').padEnd(16, '0').slice(0, 16)),
    byId: async (id) => keyOf(id),
  };
}

/** A store that encrypts all content with the key of one account. */
export function encryptingStore(store: BlobStore, accountId: string, keys = fixedDataKeys()): BlobStore {
  const encrypted = new EncryptedStore(store, keys);
  return {
    receive: (bytes) => encrypted.receiveEncrypted(accountId, bytes),
    read: (name, range) => encrypted.read(name, range),
    has: (name) => encrypted.has(name),
    localPath: (name) => encrypted.localPath(name),
    delete: (name) => encrypted.delete(name),
    list: () => encrypted.list(),
    sweepTemporary: (olderThan) => encrypted.sweepTemporary(olderThan),
    identity: () => encrypted.identity(),
  };
}
