import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readPassphrase } from '#engine/transfer/export-cipher.ts';
import { importInstallation } from '#engine/transfer/import-installation.ts';
import { systemClock } from '#lib/clock.ts';
import { openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { ensureDataDir } from '#storage/data-dir.ts';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { stderrLog } from './stderr-log.ts';
import { withDatabase } from './with-database.ts';

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('Restore an export into an empty installation; the server must not run')
    .argument('<directory>', 'Directory written by rowpress export')
    .option('--passphrase-file <file>', 'File with the passphrase of an encrypted export in its first line')
    .option('--json', 'Print one JSON object')
    .action(run);
}

interface ImportOptions {
  readonly passphraseFile?: string;
  readonly json?: true;
}

async function run(source: string, { passphraseFile, json }: ImportOptions): Promise<void> {
  const { config } = readConfig();
  const passphrase = passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile);
  const directory = resolve(source);
  ensureDataDir(config.dataDir);
  const blobs = await openBlobStore(config);
  const manifest = await withDatabase(
    config,
    (database) =>
      importInstallation(
        { database, blobs, dataDir: config.dataDir, secrets: config, clock: systemClock, log: stderrLog },
        directory,
        passphrase,
      ),
    { migrated: false, alone: true },
  );
  if (json) return printJson({ directory, ...manifest });
  tell(`Imported ${manifest.tables.length} tables and ${manifest.blobs} blobs from ${directory}.`);
}
