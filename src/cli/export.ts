import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readPassphrase } from '#engine/transfer/export-cipher.ts';
import { exportInstallation } from '#engine/transfer/export-installation.ts';
import { systemClock } from '#lib/clock.ts';
import { openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { stderrLog } from './stderr-log.ts';
import { requireInstallation, withDatabase } from './with-database.ts';

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('Write the whole installation (rows, blobs, keys) to a directory; the server may run')
    .argument('<directory>', 'New or empty directory; it will contain secrets')
    .option(
      '--passphrase-file <file>',
      'Encrypt everything with the passphrase in the first line of this file',
    )
    .option('--json', 'Print one JSON object')
    .action(run);
}

interface ExportOptions {
  readonly passphraseFile?: string;
  readonly json?: true;
}

async function run(target: string, { passphraseFile, json }: ExportOptions): Promise<void> {
  const { config } = readConfig();
  requireInstallation(config);
  const passphrase = passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile);
  const directory = resolve(target);
  const blobs = await openBlobStore(config);
  const manifest = await withDatabase(config, (database) =>
    exportInstallation(
      { database, blobs, dataDir: config.dataDir, secrets: config, clock: systemClock, log: stderrLog },
      directory,
      passphrase,
    ),
  );
  if (json) return printJson({ directory, ...manifest });
  tell(`Exported ${manifest.tables.length} tables and ${manifest.blobs} blobs to ${directory}.`);
  if (passphrase !== undefined)
    return tell('The export is encrypted and cannot be restored without the passphrase.');
  if (manifest.key_files.length > 0)
    tell(`The export contains ${manifest.key_files.join(' and ')}. Protect it like the data directory.`);
}
