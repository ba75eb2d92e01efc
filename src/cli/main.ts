import { Command, CommanderError } from 'commander';
import { OperatorError } from '../lib/errors/operator-error.ts';
import { registerAccountsList } from './accounts-list.ts';
import { registerAccountsSet } from './accounts-set.ts';
import { CommandFailed } from './command-failed.ts';
import { registerConfig } from './config.ts';
import { registerKeysCreate } from './keys-create.ts';
import { registerKeysList } from './keys-list.ts';
import { registerKeysRevoke } from './keys-revoke.ts';
import { registerMigrate } from './migrate.ts';
import { printJson, say } from './output.ts';
import { BadConfiguration } from './read-config.ts';
import { registerServe } from './serve.ts';

/**
 * The command line. Exit codes are a promise: 0 done, 1 failed, 2 wrong usage or configuration, 3 threshold
 * exceeded. A command is one file that registers itself; results go to stdout, words to stderr.
 */
function build(): Command {
  const program = new Command('rowpress')
    .description('Self-hosted bulk work that happens exactly once.')
    .exitOverride()
    .showHelpAfterError('(rowpress --help shows what can be done)');
  registerServe(program);
  const keys = program.command('keys').description('API keys');
  registerKeysCreate(keys);
  registerKeysList(keys);
  registerKeysRevoke(keys);
  const accounts = program.command('accounts').description('accounts and their plans');
  registerAccountsList(accounts);
  registerAccountsSet(accounts);
  registerConfig(program);
  registerMigrate(program);
  return program;
}

async function main(args: readonly string[]): Promise<number> {
  try {
    await build().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, args.includes('--json'));
  }
}

function report(error: unknown, json: boolean): number {
  // commander has already written what is wrong; help that was asked for is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof BadConfiguration) {
    say(`rowpress: ${error.message}`);
    return 2;
  }
  if (error instanceof CommandFailed && json) printJson({ code: error.code, message: error.message });
  if (error instanceof CommandFailed || error instanceof OperatorError) say(`rowpress: ${error.message}`);
  else say(`rowpress: unexpected failure: ${error instanceof Error ? error.stack : String(error)}`);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
