import { createWriteStream } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { PlainLog } from '../../lib/plain-log.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import { DiskBlobs } from '../../storage/blobs/disk.ts';
import type { Database } from '../../storage/database.ts';
import { readMigrationState } from '../../storage/migrate.ts';
import { copyTableOut } from '../../storage/transfer/copy-table.ts';
import { listTables } from '../../storage/transfer/list-tables.ts';
import { withSnapshot } from '../../storage/transfer/snapshot.ts';
import { copyBlobs } from './copy-blobs.ts';
import {
  blobsOf,
  type ExportManifest,
  KEY_FILES,
  keysOf,
  makeExportDirectory,
  tablesOf,
  writeManifest,
} from './export-files.ts';

export interface TransferParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: PlainLog;
}

/**
 * Writes the whole installation into a directory while the server may go on. The queue is not part of it: what
 * is open is queued again by the reconciler after the import.
 */
export async function exportInstallation(
  { database, blobs, dataDir, clock, log }: TransferParts,
  directory: string,
): Promise<ExportManifest> {
  await makeExportDirectory(directory);
  const createdAt = clock.now();
  const { done: migrations } = await readMigrationState(database.db);
  const tables = await listTables(database.db);
  const copied = await withSnapshot(database, async (client, digests) => {
    const counted: ExportManifest['tables'] = [];
    for (const table of tables) {
      const file = createWriteStream(join(tablesOf(directory), `${table.name}.copy`), {
        mode: 0o600,
        flush: true,
      });
      const rows = await copyTableOut(client, table, file);
      counted.push({ name: table.name, columns: [...table.columns], rows });
    }
    log.info(`exported ${counted.length} tables`);
    const target = await DiskBlobs.open(blobsOf(directory));
    const count = await copyBlobs(digests, blobs, target, (n) => {
      if (n % 1000 === 0) log.info(`exported ${n} of ${digests.length} blobs`);
    });
    return { tables: counted, blobs: count };
  });
  const manifest: ExportManifest = {
    format: 'rowpress.export',
    version: 1,
    created_at: createdAt.toISOString(),
    migrations: [...migrations],
    ...copied,
    key_files: await copyKeyFiles(dataDir, directory),
  };
  await writeManifest(directory, manifest);
  return manifest;
}

async function copyKeyFiles(dataDir: string, directory: string): Promise<ExportManifest['key_files']> {
  const copied: ExportManifest['key_files'] = [];
  for (const name of KEY_FILES) {
    const there = await stat(join(dataDir, name)).then(
      () => true,
      () => false,
    );
    if (!there) continue; // given by the configuration, or never needed
    await copyFile(join(dataDir, name), join(keysOf(directory), name));
    copied.push(name);
  }
  return copied;
}
