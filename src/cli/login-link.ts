import type { Command } from 'commander';
import { makeSignInLink, webAddress } from '../console/session/sign-in-link.ts';
import { systemClock } from '../lib/clock.ts';
import { systemIds } from '../lib/ids.ts';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

/** A way in for whoever can run commands here, so that a lost link or session locks nobody out. */
export function registerLoginLink(program: Command): void {
  program
    .command('login-link')
    .description('print a link that signs in to the console, once, within a day')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run({ json }: { readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  const { link, expiresAt } = await withDatabase(config, ({ db }) =>
    makeSignInLink({ db, clock: systemClock, ids: systemIds }, webAddress(config)),
  );
  if (json) return printJson({ link, expires_at: expiresAt.toISOString() });
  tell(`Good once, until ${expiresAt.toISOString()}:`);
  process.stdout.write(`${link}\n`);
}
