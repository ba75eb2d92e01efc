import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readPassphrase } from '#engine/transfer/export-cipher.ts';
import { exportInstallation } from '#engine/transfer/export-installation.ts';
import { systemClock } from '#lib/clock.ts';
import { openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { stderrLog } from './stderr-log.ts';
import { withDatabase } from './with-database.ts';

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write the whole installation (rows, blobs, keys) into a directory; the server may run')
    .argument('<directory>', 'a new or empty directory; it will hold secrets')
    .option(
      '--passphrase-file <file>',
      'encrypt everything with the passphrase in the first line of this file',
    )
    .option('--json', 'print one JSON object')
    .action(run);
}

interface ExportOptions {
  readonly passphraseFile?: string;
  readonly json?: true;
}

async function run(target: string, { passphraseFile, json }: ExportOptions): Promise<void> {
  const { config } = readConfig();
  const passphrase = passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile);
  const directory = resolve(target);
  const blobs = await openBlobStore(config);
  const manifest = await withDatabase(config, (database) =>
    exportInstallation(
      { database, blobs, dataDir: config.dataDir, clock: systemClock, log: stderrLog },
      directory,
      passphrase,
    ),
  );
  if (json) return printJson({ directory, ...manifest });
  tell(`Exported ${manifest.tables.length} tables and ${manifest.blobs} blobs to ${directory}.`);
  if (passphrase !== undefined) return tell('It is encrypted: without the passphrase it cannot be restored.');
  if (manifest.key_files.length > 0)
    tell(`It holds ${manifest.key_files.join(' and ')}: keep it as safe as the data directory.`);
}
