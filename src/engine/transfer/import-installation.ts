import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { BlobMissing } from '#storage/blobs/blob-store.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import type { Database } from '#storage/database.ts';
import { migrate, readMigrationState } from '#storage/migrate.ts';
import {
  advanceSequences,
  copyTableIn,
  findFilledTable,
  forgetBlobStore,
  listBlobNames,
  listTables,
  type TransferTable,
  withRestore,
} from '#storage/transfer.ts';
import { copyBlobs, writeTo } from './copy-blobs.ts';
import { dataKeysOf } from './data-keys-of.ts';
import { ExportedBlobs } from './encrypted-blobs.ts';
import { openExportCipher } from './export-cipher.ts';
import { blobsOf, type ExportManifest, keyFile, readManifest, tableFile } from './export-files.ts';
import type { TransferParts } from './export-installation.ts';
import { ExportVault } from './export-vault.ts';

/**
 * Restores an export into an empty installation. Migrates the schema to the version of the export, copies the rows, and
 * then runs newer migrations, so that they change the old rows as in an upgrade. Rows are committed after the last blob
 * is stored: a failure leaves the database empty.
 */
export async function importInstallation(
  parts: TransferParts,
  directory: string,
  passphrase?: string,
): Promise<ExportManifest> {
  const { database, dataDir } = parts;
  const vault = new ExportVault(directory, await openExportCipher(directory, passphrase));
  const manifest = await readManifest(vault);
  await bringToSchemaOf(manifest, database);
  const tables = matchTables(manifest, await listTables(database.db));
  await refuseOtherKeys(manifest, vault, dataDir);
  await withRestore(database, async (client) => {
    const filled = await findFilledTable(client, tables);
    if (filled !== undefined)
      throw new OperatorError(
        `The database is not empty (table ${filled} has rows). Import into a new installation.`,
      );
    for (const { rows, ...table } of tables) {
      const file = tableFile(table.name);
      const copied = await copyTableIn(client, table, ...vault.source(file)).catch((error: unknown) => {
        throw vault.complaint(file, error);
      });
      if (copied !== rows)
        throw new OperatorError(`The export is incomplete: ${table.name} has ${copied} of ${rows} rows.`);
    }
    await restoreBlobs(parts, vault, manifest, client);
    await advanceSequences(client, tables);
    await forgetBlobStore(client);
    await restoreKeyFiles(manifest, vault, dataDir);
  });
  await migrate(database.db);
  return manifest;
}

async function restoreBlobs(
  { blobs, secrets, log }: TransferParts,
  vault: ExportVault,
  manifest: ExportManifest,
  client: pg.ClientBase,
): Promise<void> {
  const names = await listBlobNames(client);
  const root = blobsOf(vault.directory);
  const source = vault.cipher ? new ExportedBlobs(root, vault.cipher) : await DiskBlobs.open(root);
  const hasSecret = manifest.key_files.includes('secret.key');
  let copied = 0;
  try {
    await copyBlobs({
      names,
      read: (name) => source.read(name),
      write: writeTo(blobs),
      keys: await dataKeysOf(client, names, secrets, async () =>
        hasSecret ? vault.read(keyFile('secret.key')) : undefined,
      ),
      onCopied: (n) => {
        copied = n;
        if (n % 1000 === 0) log.info(`imported ${n} of ${names.length} blobs`);
      },
    });
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    throw new OperatorError(
      `The export is incomplete: ${copied} of ${names.length} blobs were restored, and the next one is missing.`,
    );
  }
}

async function bringToSchemaOf({ migrations }: ExportManifest, { db }: Database): Promise<void> {
  const { done, pending } = await readMigrationState(db);
  const known = new Set([...done, ...pending]);
  const unknown = migrations.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new OperatorError(
      `The export is from a newer release (it has the migration ${unknown}). Import it with that release.`,
    );
  const newer = done.find((name) => !migrations.includes(name));
  if (newer !== undefined)
    throw new OperatorError(
      `The database already has the migration ${newer}, which the export does not. Import into a new database.`,
    );
  const last = migrations.at(-1);
  if (last !== undefined && !done.includes(last)) await migrate(db, { upTo: last });
}

/** Returns the tables in the order of the target, which its references determine. */
function matchTables(
  manifest: ExportManifest,
  targets: readonly TransferTable[],
): (TransferTable & { readonly rows: number })[] {
  const exported = new Map(manifest.tables.map((table) => [table.name, table]));
  const matched = targets.flatMap(({ name }) => exported.get(name) ?? []);
  if (matched.length === manifest.tables.length) return matched;
  throw new OperatorError('The export contains tables that its schema lacks: it was modified.');
}

async function refuseOtherKeys(manifest: ExportManifest, vault: ExportVault, dataDir: string): Promise<void> {
  for (const name of manifest.key_files) {
    const here = await readFile(join(dataDir, name)).catch(() => undefined);
    const there = await vault.read(keyFile(name));
    if (here !== undefined && !here.equals(there))
      throw new OperatorError(
        `${join(dataDir, name)} already exists and differs from the key of the export. Import into a new data directory.`,
      );
  }
}

async function restoreKeyFiles(manifest: ExportManifest, vault: ExportVault, dataDir: string): Promise<void> {
  for (const name of manifest.key_files) {
    const path = join(dataDir, name);
    await writeFile(path, await vault.read(keyFile(name)), { mode: 0o600, flush: true });
    await chmod(path, 0o600);
  }
}
