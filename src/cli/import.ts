import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readPassphrase } from '#engine/transfer/export-cipher.ts';
import { importInstallation } from '#engine/transfer/import-installation.ts';
import { systemClock } from '#lib/clock.ts';
import { openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { ensureDataDir } from '#storage/data-dir.ts';
import { printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import type { SubscriberFlags } from './import-subscribers.ts';
import { nameText } from './option-values.ts';
import { readConfig } from './read-config.ts';
import { retryCount } from './remote/connection.ts';
import { mappedColumn } from './remote/import-mappings.ts';
import { idempotencyKey } from './remote/request-key.ts';
import { stderrLog } from './stderr-log.ts';
import { withDatabase } from './with-database.ts';

/** Two commands in one: an export is always a directory, and a list of subscribers always a file. */
export function registerImport(program: Command): void {
  program
    .command('import')
    .description('Restore an export (a directory), or import subscribers (a file) into a server')
    .argument('<source>', 'Directory written by rowpress export, or a CSV or XLSX file with subscribers')
    .option('--passphrase-file <file>', 'Directory: file with the passphrase of an encrypted export')
    .option(
      '--server <url>',
      'File: URL of the server (default: ROWPRESS_SERVER); the key is in ROWPRESS_API_KEY',
    )
    .option(
      '--retries <n>',
      'File: how often a request is repeated if the connection fails (default: 8)',
      retryCount,
    )
    .option(
      '--map <column=field>',
      'File: field of a column (email, name, country, status, or a custom field); repeat it for each column (default: the server suggests them)',
      mappedColumn,
    )
    .option('--tag <name>', 'File: tag to add to every imported subscriber', nameText)
    .option('--dry-run', 'File: check all rows and write nothing')
    .option('--failed-rows <file>', 'File: save the rows that failed as CSV')
    .option(
      '--idempotency-key <key>',
      'File: key of an earlier run of this command (default: a new one)',
      idempotencyKey,
    )
    .option('--json', 'Print one JSON object', false)
    .action(run);
}

type ImportOptions = SubscriberFlags & { readonly passphraseFile?: string };

async function run(source: string, options: ImportOptions): Promise<void> {
  const { passphraseFile, json, ...others } = options;
  const isFile = (await stat(source).catch(() => undefined))?.isFile() === true;
  if (isFile && passphraseFile !== undefined)
    throw new CommandFailed('USAGE', `--passphrase-file is for a directory; ${source} is a file.`);
  if (isFile) return (await import('./import-subscribers.ts')).importSubscribers(source, options);
  const [misplaced] = Object.keys(others);
  if (misplaced !== undefined)
    throw new CommandFailed(
      'USAGE',
      `--${misplaced.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is for a file with subscribers; ${source} is not a file.`,
    );
  await restore(source, passphraseFile, json);
}

async function restore(source: string, passphraseFile: string | undefined, json: boolean): Promise<void> {
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
    { migrated: false, create: true, alone: true },
  );
  if (json) return printJson({ directory, ...manifest });
  tell(`Imported ${manifest.tables.length} tables and ${manifest.blobs} blobs from ${directory}.`);
}
