import type { Command } from 'commander';
import { listAccounts } from '#storage/accounts.ts';
import { printJson } from './answer.ts';
import { readConfig } from './read-config.ts';
import { printTable } from './table.ts';
import { withDatabase } from './with-database.ts';

export function registerAccountsList(accounts: Command): void {
  accounts.command('list').description('List accounts').option('--json', 'Print one JSON object').action(run);
}

async function run({ json }: { readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  const accounts = await withDatabase(config, ({ db }) => listAccounts(db));
  if (json) return printJson({ accounts });
  printTable(
    ['NAME', 'PLAN', 'ACTIVE', 'SINCE'],
    accounts.map((account) => [
      account.name,
      account.plan,
      String(account.active),
      account.created_at.toISOString(),
    ]),
  );
}
