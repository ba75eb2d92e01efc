import { Command, CommanderError } from 'commander';
import { exitOf } from '#cli/command-codes.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { VERSION } from '#lib/version.ts';
import { printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { reason } from './files.ts';
import { BadConfiguration, readConfig } from './read-config.ts';
import { ServerRefused } from './remote/server-refused.ts';

/** Commands that need no installation. Each is loaded alone, because the rest takes most of a second to load. */
const BUILT_ALONE = new Map<string, () => Promise<Command>>([
  ['webhooks', async () => (await import('./webhooks-listen.ts')).webhooksCommand()],
  ['layout', async () => (await import('./layout.ts')).layoutCommand(() => readConfig().config)],
  ['verify', async () => (await import('./verify.ts')).verifyCommand(() => readConfig().config)],
  ['submit', async () => (await import('./submit.ts')).submitCommand(() => readConfig().config)],
  ['wait', async () => (await import('./wait.ts')).waitCommand()],
  ['download', async () => (await import('./download.ts')).downloadCommand()],
  ['jobs', async () => (await import('./jobs.ts')).jobsCommand()],
  ['projects', async () => (await import('./projects.ts')).projectsCommand()],
  ['push', async () => (await import('./push.ts')).pushCommand()],
  ['mcp', async () => (await import('./mcp.ts')).mcpCommand()],
  ['fill', async () => (await import('./fill.ts')).fillCommand(() => readConfig().config)],
]);

/**
 * Builds the command line. Exit codes are stable: 0 success, 1 failure, 2 wrong usage or configuration, 3 threshold
 * exceeded. Each command is one file that registers itself. Results go to stdout, messages to stderr.
 */
async function build(first: string | undefined): Promise<Command> {
  const program = new Command('rowpress')
    .description('Rows in, documents and records out.')
    .version(VERSION, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .exitOverride()
    .showHelpAfterError('(run rowpress --help for a list of commands)');
  const alone = BUILT_ALONE.get(first ?? '');
  if (alone !== undefined) {
    add(program, await alone());
    return program;
  }
  const { registerServerCommands } = await import('./server-commands.ts');
  registerServerCommands(program);
  if (program.commands.some((command) => command.name() === first)) return program;
  for (const command of BUILT_ALONE.values()) add(program, await command());
  const { registerCompletion } = await import('./completion.ts');
  registerCompletion(program);
  return program;
}

/** Adds a command that was built separately, with the same exit codes and help. */
function add(parent: Command, command: Command): void {
  const inherit = (child: Command, from: Command) => {
    child.copyInheritedSettings(from);
    for (const grandchild of child.commands) inherit(grandchild, child);
  };
  inherit(command, parent);
  parent.addCommand(command);
}

/**
 * Ignores a reader that closes the pipe early (`| head`). Commands whose output must arrive completely (fill) handle it
 * themselves.
 */
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
  // Requested help is not an error.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const code = codeOf(error);
  const message = messageOf(error);
  const details = error instanceof ServerRefused ? error.details : {};
  if (json) printJson({ code, message: message.replace(/^error: /, ''), ...details });
  const words = wordsFor(error, code, message);
  if (words !== null) tell(`rowpress: ${words}`);
  return exitOf(code);
}

function wordsFor(error: unknown, code: string, message: string): string | null {
  // commander has already printed the message.
  if (error instanceof CommanderError) return null;
  if (error instanceof ServerRefused) return error.words;
  if (code === 'STORAGE_FULL') return `storage is full: ${message}`;
  if (code === 'UNEXPECTED_FAILURE')
    return `unexpected failure: ${error instanceof Error ? error.stack : message}`;
  return message;
}

/** Returns the message. A denied file access is not a bug, and the system's own message is for programmers. */
function messageOf(error: unknown): string {
  if (isDenial(error)) return `${error.path}: ${reason(error)}`;
  return error instanceof Error ? error.message : String(error);
}

type Denial = Error & { readonly path: string };

/** A file or folder that the system does not let us access. A full disk is reported separately. */
function isDenial(error: unknown): error is Denial {
  return error instanceof Error && 'syscall' in error && 'path' in error && faultOf(error) === undefined;
}

/** Returns the code for scripts: with `--json` they always receive one object. */
function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'USAGE';
  if (error instanceof CommandFailed || error instanceof ServerRefused) return error.code;
  if (error instanceof BadConfiguration) return 'BAD_CONFIGURATION';
  if (faultOf(error) === 'storageFull') return 'STORAGE_FULL';
  if (faultOf(error) === 'damaged') return 'STORED_DATA_DAMAGED';
  return error instanceof OperatorError || error instanceof SurroundingsError || isDenial(error)
    ? 'OPERATOR_NEEDED'
    : 'UNEXPECTED_FAILURE';
}

await main(process.argv.slice(2));
