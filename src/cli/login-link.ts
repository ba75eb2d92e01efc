import type { Command } from 'commander';
import { type LinkPurpose, makeSignInLink, webAddress } from '#console/session/sign-in-link.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { findOperatorsNamed } from '#storage/console/operators.ts';
import type { Db } from '#storage/database.ts';
import { printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { nameText } from './option-values.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

interface Options {
  readonly operator?: string;
  readonly json?: true;
}

/** Creates a sign-in link for anyone who can run commands here, so that a lost link or session locks nobody out. */
export function registerLoginLink(program: Command): void {
  program
    .command('login-link')
    .description('Print a link that signs in to the console once, within a day')
    .option('--operator <name>', 'Name or id of the operator (default: the first one)', nameText)
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run({ operator, json }: Options): Promise<void> {
  const { config } = readConfig();
  const { link, expiresAt } = await withDatabase(config, async ({ db }) =>
    makeSignInLink(
      { db, clock: systemClock, ids: systemIds },
      webAddress(config),
      await purposeOf(db, operator),
    ),
  );
  if (json) return printJson({ link, expires_at: expiresAt.toISOString() });
  tell(`This link works once, until ${expiresAt.toISOString()}:`);
  process.stdout.write(`${link}\n`);
}

async function purposeOf(db: Db, operator: string | undefined): Promise<LinkPurpose> {
  if (operator === undefined) return { kind: 'first-operator' };
  const [found, ...more] = await findOperatorsNamed(db, operator);
  if (found === undefined)
    throw new CommandFailed('OPERATOR_NOT_FOUND', `There is no operator "${operator}".`);
  if (more.length > 0)
    throw new CommandFailed(
      'OPERATOR_NOT_FOUND',
      `Several operators have the name "${operator}". Use an id: ${[found, ...more].map(({ id }) => id).join(', ')}.`,
    );
  return { kind: 'operator', operatorId: found.id };
}
