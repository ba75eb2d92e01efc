import { BlobKeeper } from '#engine/blob-keeper.ts';
import { DATA_KEY_PURPOSE, DataKeys } from '#engine/data-keys.ts';
import { joinInstallation } from '#engine/installation.ts';
import { StorageRoom } from '#engine/limits/storage-room.ts';
import { startClock } from '#engine/nodes/node-clock.ts';
import { loadSecretRing, type SecretRing } from '#engine/secret-ring.ts';
import { trustedKeys as acceptedSeals, loadSealKey } from '#fill/node/seal-key.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import { EncryptedStore } from '#storage/blobs/encrypted-store.ts';
import { localDirectories, openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { closeFolders } from '#storage/data-dir.ts';
import type { Database, DatabaseAddress } from '#storage/database.ts';
import { FreeSpace } from '#storage/free-space.ts';
import { openMigratedDatabase } from '#storage/open-migrated-database.ts';
import { openReplica } from '#storage/open-replica.ts';
import type { StartContext } from './start-context.ts';

/** The database, the blobs and the secrets of the installation. */
export interface OpenStorage {
  readonly database: Database;
  /** Past any pooler, for LISTEN. */
  readonly directAddress: DatabaseAddress;
  /** Blobs as they are stored, plain or encrypted. */
  readonly store: BlobStore;
  readonly dataKeys: DataKeys;
  readonly blobs: BlobKeeper;
  readonly secret: SecretRing;
  readonly seal: { readonly secretKey: Uint8Array; readonly trustedKeys: readonly string[] };
  readonly space: FreeSpace;
  readonly room: StorageRoom;
  close(): Promise<void>;
}

export async function openStorage({
  config,
  log,
  clock,
  databaseClock,
  surroundings,
  background,
}: StartContext): Promise<OpenStorage> {
  const { database, directAddress, close: closeDatabase } = await openMigratedDatabase(config, log);
  const replica = openReplica(config, database.db, background.note);
  const close = async () => {
    await replica?.close();
    await closeDatabase();
  };
  try {
    const { db } = database;
    await startClock(db, databaseClock);
    const secret = await loadSecretRing(config);
    const seal = await loadSealKey(config);
    if (!seal.ok) throw new OperatorError(`ROWPRESS_SEAL_KEY: ${seal.message}.`);
    const store = await openBlobStore(config);
    closeFolders(config.dataDir);
    const { earlierSeals } = await joinInstallation(
      db,
      {
        blobStore: await store.identity(),
        secretKey: secret.current.fingerprint(),
        sealKey: seal.publicKey,
      },
      { secrets: secret.fingerprints() },
    );
    const trusted = await acceptedSeals(config);
    if (!trusted.ok) throw new OperatorError(`ROWPRESS_TRUSTED_SEALS: ${trusted.message}.`);
    const trustedKeys = [...new Set([...trusted.keys, ...earlierSeals])];
    const space = new FreeSpace(localDirectories(config), config.minFreeBytes, surroundings.measureDisk);
    const dataKeys = new DataKeys(db, secret.box(DATA_KEY_PURPOSE), clock);
    const encrypted = new EncryptedStore(store, dataKeys);
    return {
      database,
      directAddress,
      store,
      dataKeys,
      blobs: new BlobKeeper(encrypted, db, clock, config.encryptBlobs ? encrypted : undefined),
      secret,
      seal: { secretKey: seal.secretKey, trustedKeys },
      space,
      room: new StorageRoom(db, space, config.plans),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
