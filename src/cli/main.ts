import { Command, CommanderError } from 'commander';
import { faultOf } from '../lib/errors/fault-of.ts';
import { OperatorError } from '../lib/errors/operator-error.ts';
import { SurroundingsError } from '../lib/errors/surroundings-error.ts';
import { EXIT, printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { BadConfiguration, readConfig } from './read-config.ts';

/** Commands that need no installation. Each is loaded alone, because the rest takes most of a second to load. */
const BUILT_ALONE = new Map<string, () => Promise<Command>>([
  ['webhooks', async () => (await import('./webhooks-listen.ts')).webhooksCommand()],
  ['layout', async () => (await import('./layout.ts')).layoutCommand(() => readConfig().config)],
  ['fill', async () => (await import('./fill.ts')).fillCommand(() => readConfig().config)],
]);

/**
 * The command line. Exit codes are a promise: 0 done, 1 failed, 2 wrong usage or configuration, 3 threshold
 * exceeded. A command is one file that registers itself; results go to stdout, words to stderr.
 */
async function build(first: string | undefined): Promise<Command> {
  const program = new Command('rowpress')
    .description('Rows in, documents and records out.')
    .exitOverride()
    .showHelpAfterError('(rowpress --help shows what can be done)');
  const alone = BUILT_ALONE.get(first ?? '');
  if (alone !== undefined) {
    add(program, await alone());
    return program;
  }
  const { registerServerCommands } = await import('./server-commands.ts');
  registerServerCommands(program);
  if (program.commands.some((command) => command.name() === first)) return program;
  for (const command of BUILT_ALONE.values()) add(program, await command());
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

/** A reader that has seen enough (`| head`) is no failure; what must arrive whole (fill) hears of it itself. */
function letReadersLeave(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function main(args: readonly string[]): Promise<void> {
  letReadersLeave();
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
  const isSaid = [CommandFailed, OperatorError, SurroundingsError].some((kind) => error instanceof kind);
  if (isSaid) tell(`rowpress: ${(error as Error).message}`);
  else if (faultOf(error) === 'storageFull')
    tell(`rowpress: there is no room left: ${(error as Error).message}`);
  else tell(`rowpress: unexpected failure: ${error instanceof Error ? error.stack : String(error)}`);
  return EXIT.failed;
}

await main(process.argv.slice(2));
