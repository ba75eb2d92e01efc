import type { Command } from 'commander';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { ensureAccount, updateAccount } from '#storage/accounts.ts';
import { printJson, tell } from './answer.ts';
import { nameText, oneOf } from './option-values.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

interface Options {
  readonly plan?: string;
  readonly active?: 'true' | 'false';
  readonly json?: true;
}

export function registerAccountsSet(accounts: Command): void {
  const command = accounts
    .command('set')
    .description('Change an account, or create it')
    .argument('<name>', 'Account name', nameText)
    .option('--plan <plan>', 'Plan: one of ROWPRESS_PLANS or the built-in ones')
    .option('--active <boolean>', 'Set to false to reject the keys of the account', oneOf(['true', 'false']))
    .option('--json', 'Print one JSON object')
    .action((name: string, options: Options) => run(command, name, options));
}

async function run(command: Command, name: string, { plan, active, json }: Options): Promise<void> {
  if (plan === undefined && active === undefined)
    command.error('error: nothing to set; pass --plan or --active');
  const { config } = readConfig();
  if (plan !== undefined && !config.plans.has(plan))
    command.error(`error: unknown plan '${plan}'; known plans are ${[...config.plans.keys()].join(', ')}`);
  const change = {
    ...(plan !== undefined && { plan }),
    ...(active !== undefined && { active: active === 'true' }),
  };
  const account = await withDatabase(config, async ({ db }) => {
    await ensureAccount(db, {
      id: systemIds.uuid(),
      name,
      plan: plan ?? config.plan,
      now: systemClock.now(),
    });
    return updateAccount(db, name, change);
  });
  if (account === undefined) throw new Error(`bug: account ${name} does not exist`);
  if (json) return printJson(account);
  tell(`Account "${account.name}": plan ${account.plan}, ${account.active ? 'active' : 'inactive'}.`);
}
