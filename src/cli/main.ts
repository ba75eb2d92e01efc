import { Command, CommanderError } from 'commander';
import { type CommandCode, exitOf } from '#cli/command-codes.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { VERSION } from '#lib/version.ts';
import { printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { reason } from './files.ts';
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
    .version(VERSION)
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
  // Help that was asked for is no mistake.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const code = codeOf(error);
  const message = messageOf(error);
  if (json) printJson({ code, message: message.replace(/^error: /, '') });
  const words = wordsFor(error, code, message);
  if (words !== null) tell(`rowpress: ${words}`);
  return exitOf(code);
}

function wordsFor(error: unknown, code: CommandCode, message: string): string | null {
  // commander has already written what is wrong.
  if (error instanceof CommanderError) return null;
  if (code === 'STORAGE_FULL') return `there is no room left: ${message}`;
  if (code === 'UNEXPECTED_FAILURE')
    return `unexpected failure: ${error instanceof Error ? error.stack : message}`;
  return message;
}

/** What the system denies is no bug of ours, and its own words are for programmers. */
function messageOf(error: unknown): string {
  if (isDenial(error)) return `${error.path}: ${reason(error)}`;
  return error instanceof Error ? error.message : String(error);
}

type Denial = Error & { readonly path: string };

/** A file or folder that the system will not let us have; where it is full, that is said instead. */
function isDenial(error: unknown): error is Denial {
  return error instanceof Error && 'syscall' in error && 'path' in error && faultOf(error) === undefined;
}

/** For scripts that asked for JSON: they get one object whatever happens. */
function codeOf(error: unknown): CommandCode {
  if (error instanceof CommanderError) return 'USAGE';
  if (error instanceof CommandFailed) return error.code;
  if (error instanceof BadConfiguration) return 'BAD_CONFIGURATION';
  if (faultOf(error) === 'storageFull') return 'STORAGE_FULL';
  return error instanceof OperatorError || error instanceof SurroundingsError || isDenial(error)
    ? 'OPERATOR_NEEDED'
    : 'UNEXPECTED_FAILURE';
}

await main(process.argv.slice(2));
