import { Command, CommanderError } from 'commander';
import { faultOf } from '../lib/errors/fault-of.ts';
import { OperatorError } from '../lib/errors/operator-error.ts';
import { registerAccountsList } from './accounts-list.ts';
import { registerAccountsSet } from './accounts-set.ts';
import { EXIT, printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { registerConfig } from './config.ts';
import { registerDoctor } from './doctor.ts';
import { registerExport } from './export.ts';
import { registerImport } from './import.ts';
import { registerKeysCreate } from './keys-create.ts';
import { registerKeysList } from './keys-list.ts';
import { registerKeysRevoke } from './keys-revoke.ts';
import { registerLoginLink } from './login-link.ts';
import { registerMigrate } from './migrate.ts';
import { BadConfiguration, readConfig } from './read-config.ts';
import { registerServe } from './serve.ts';

/**
 * The command line. Exit codes are a promise: 0 done, 1 failed, 2 wrong usage or configuration, 3 threshold
 * exceeded. A command is one file that registers itself; results go to stdout, words to stderr.
 */
async function build(first: string | undefined): Promise<Command> {
  const program = new Command('rowpress')
    .description('Rows in, documents and records out.')
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
  registerLoginLink(program);
  registerConfig(program);
  registerMigrate(program);
  registerDoctor(program);
  registerExport(program);
  registerImport(program);
  // The PDF engine takes most of a second to load: not for a command that is known to be another one.
  if (program.commands.some((command) => command.name() === first)) return program;
  const [{ layoutCommand }, { fillCommand }, { webhooksCommand }] = await Promise.all([
    import('./layout.ts'),
    import('./fill.ts'),
    import('./webhooks-listen.ts'),
  ]);
  add(program, webhooksCommand());
  add(
    program,
    layoutCommand(() => readConfig().config),
  );
  add(
    program,
    fillCommand(() => readConfig().config),
  );
  return program;
}

/** Commands that were built on their own follow the same rules of exit codes and help. */
function add(parent: Command, command: Command): void {
  const inherit = (child: Command, from: Command) => {
    child.copyInheritedSettings(from);
    for (const grandchild of child.commands) inherit(grandchild, child);
  };
  inherit(command, parent);
  parent.addCommand(command);
}

async function main(args: readonly string[]): Promise<void> {
  try {
    const program = await build(args[0]);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, args.includes('--json'));
  }
}

function report(error: unknown, json: boolean): number {
  // commander has already written what is wrong; help that was asked for is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (error instanceof BadConfiguration) {
    tell(`rowpress: ${error.message}`);
    return EXIT.usage;
  }
  if (error instanceof CommandFailed && json) printJson({ code: error.code, message: error.message });
  if (error instanceof CommandFailed || error instanceof OperatorError) tell(`rowpress: ${error.message}`);
  else if (faultOf(error) === 'storageFull')
    tell(`rowpress: there is no room left: ${(error as Error).message}`);
  else tell(`rowpress: unexpected failure: ${error instanceof Error ? error.stack : String(error)}`);
  return EXIT.failed;
}

await main(process.argv.slice(2));
