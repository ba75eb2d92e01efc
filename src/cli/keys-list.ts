import type { Command } from 'commander';
import { showKey } from '#console/keys/show-key.ts';
import { systemClock } from '#lib/clock.ts';
import { surfaces } from '#main/surfaces.ts';
import { listKeys } from '#storage/keys/api-keys.ts';
import { printJson } from './answer.ts';
import { nameText, oneOf } from './option-values.ts';
import { readConfig } from './read-config.ts';
import { printTable } from './table.ts';
import { withDatabase } from './with-database.ts';

interface Options {
  readonly account?: string;
  readonly surface?: string;
  readonly json?: true;
}

export function registerKeysList(keys: Command): void {
  keys
    .command('list')
    .description('List keys, without their secrets')
    .option('--account <name>', 'Only keys of this account', nameText)
    .option('--surface <surface>', 'Only keys of this surface', oneOf(surfaces.map(({ name }) => name)))
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run({ json, ...filter }: Options): Promise<void> {
  const { config } = readConfig();
  const found = await withDatabase(config, ({ db }) => listKeys(db, filter));
  const now = systemClock.now();
  const keys = found.map((key) => {
    const { last_refused, ...shown } = showKey(key, now);
    return { ...shown, last_refused_at: last_refused?.at ?? null };
  });
  if (json) return printJson({ keys });
  printTable(
    ['ID', 'ACCOUNT', 'SURFACE', 'STATE', 'EXPIRES', 'LAST USED'],
    keys.map((key) => [
      key.id,
      key.account,
      key.surface,
      key.state,
      key.expires_at ?? 'never',
      key.last_used_at ?? 'never',
    ]),
  );
}
