import { resolve } from 'node:path';
import type { Command } from 'commander';
import { importInstallation } from '../engine/transfer/import-installation.ts';
import { systemClock } from '../lib/clock.ts';
import { openBlobStore } from '../storage/blobs/open-blob-store.ts';
import { ensureDataDir } from '../storage/data-dir.ts';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { stderrLog } from './stderr-log.ts';
import { withDatabase } from './with-database.ts';

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('restore an export into an empty installation; the server must not run')
    .argument('<directory>', 'what rowpress export wrote')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run(source: string, { json }: { readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  const directory = resolve(source);
  ensureDataDir(config.dataDir);
  const blobs = await openBlobStore(config);
  const manifest = await withDatabase(
    config,
    (database) =>
      importInstallation(
        { database, blobs, dataDir: config.dataDir, clock: systemClock, log: stderrLog },
        directory,
      ),
    { migrated: false, alone: true },
  );
  if (json) return printJson({ directory, ...manifest });
  tell(`Imported ${manifest.tables.length} tables and ${manifest.blobs} blobs from ${directory}.`);
}
