import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import type { Database } from '#storage/database.ts';
import { readMigrationState } from '#storage/migrate.ts';
import { copyTableOut, listTables, withSnapshot } from '#storage/transfer.ts';
import type { SecretSettings } from '../secret-ring.ts';
import { copyBlobs, writeTo } from './copy-blobs.ts';
import { dataKeysOf } from './data-keys-of.ts';
import { ExportedBlobs } from './encrypted-blobs.ts';
import { createExportCipher } from './export-cipher.ts';
import {
  blobsOf,
  type ExportManifest,
  KEY_FILES,
  keyFile,
  makeExportDirectory,
  tableFile,
  writeManifest,
} from './export-files.ts';
import { ExportVault } from './export-vault.ts';

export interface TransferParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly dataDir: string;
  readonly secrets: Pick<SecretSettings, 'secretKey' | 'secretKeyPrevious'>;
  readonly clock: Clock;
  readonly log: PlainLog;
}

/**
 * Writes the whole installation into a directory, even while the server runs. The queue is not exported: after the
 * import, the reconciler queues open work again.
 */
export async function exportInstallation(
  { database, blobs, dataDir, secrets, clock, log }: TransferParts,
  directory: string,
  passphrase?: string,
): Promise<ExportManifest> {
  await makeExportDirectory(directory);
  const cipher = passphrase === undefined ? undefined : await createExportCipher(directory, passphrase);
  const vault = new ExportVault(directory, cipher);
  const createdAt = clock.now();
  const { done: migrations } = await readMigrationState(database.db);
  const tables = await listTables(database.db);
  const copied = await withSnapshot(database, async (client, names) => {
    // With the snapshot, not after the blobs: a secret that is retired meanwhile still opens what the snapshot holds.
    const keyFiles = await copyKeyFiles(dataDir, vault);
    const counted: ExportManifest['tables'] = [];
    for (const table of tables) {
      const rows = await copyTableOut(client, table, ...vault.sink(tableFile(table.name)));
      counted.push({ name: table.name, columns: [...table.columns], rows });
    }
    log.info(`exported ${counted.length} tables`);
    const onCopied = (n: number) => {
      if (n % 1000 === 0) log.info(`exported ${n} of ${names.length} blobs`);
    };
    const root = blobsOf(directory);
    const sealed = cipher && new ExportedBlobs(root, cipher);
    await copyBlobs({
      names,
      read: (name) => blobs.read(name),
      write: sealed ? (name, bytes) => sealed.write(name, bytes) : writeTo(await DiskBlobs.open(root)),
      keys: await dataKeysOf(client, names, secrets, async () =>
        keyFiles.includes('secret.key') ? vault.read(keyFile('secret.key')) : undefined,
      ),
      onCopied,
    });
    return { tables: counted, blobs: names.length, key_files: keyFiles };
  });
  const manifest: ExportManifest = {
    format: 'rowpress.export',
    version: 1,
    created_at: createdAt.toISOString(),
    migrations: [...migrations],
    ...copied,
  };
  await writeManifest(vault, manifest);
  return manifest;
}

/** Undefined if the file does not exist. */
function readKeyFile(dataDir: string, name: (typeof KEY_FILES)[number]): Promise<Buffer | undefined> {
  return readFile(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function copyKeyFiles(dataDir: string, vault: ExportVault): Promise<ExportManifest['key_files']> {
  const copied: ExportManifest['key_files'] = [];
  for (const name of KEY_FILES) {
    const content = await readKeyFile(dataDir, name);
    if (content === undefined) continue; // set in the configuration, or never created
    await vault.write(keyFile(name), content);
    copied.push(name);
  }
  return copied;
}
