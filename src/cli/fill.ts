import { Command, InvalidArgumentError } from 'commander';
import { EXIT, exitOf } from '#cli/command-codes.ts';
import { ROW_PASSWORDS, VERIFY_IDS } from '#fill/fill-options.ts';
import { setSandboxMode } from '#fill/node/sandbox/current.ts';
import { StandbyReader } from '#fill/node/standby-reader.ts';
import { programOf } from '#lib/built-programs.ts';
import { printJson } from './answer.ts';
import type { FillRefusal } from './fill/cli-refusal.ts';
import type { FillFlags, FillKeys, FillSettings } from './fill/fill-flags.ts';
import { withRowOptions } from './fill/row-options.ts';
import type { FillOutcome } from './fill/run-fill.ts';
import { spareInputs } from './spare-inputs.ts';

/** Each thread takes 60 MB or more, so a typing error must not exhaust the memory of the machine. */
const MOST_THREADS = 64;

/**
 * `rowpress fill`: the engine without server or database, with the same bytes. Messages go to stderr, with `--json` one
 * object to stdout; a refusal is `{"code","message"}` on stdout. Exit codes: 0 success, 1 refused, 2 usage, 3 threshold
 * exceeded.
 */
export function fillCommand(settings: () => FillSettings): Command {
  const command = new Command('fill')
    .description('Fill a PDF once per row, without a server')
    .requiredOption('--pdf <file>', 'Source PDF')
    .requiredOption('--layout <file>', 'Sealed package (.doqlo) or layout.json')
    .requiredOption('--rows <file>', 'Rows as .csv, .json or .xlsx; - is CSV on standard input')
    .option('--assets <file>', 'ZIP or folder with the pictures (PNG, JPEG) that cells name');
  return withRowOptions(command)
    .option('-o, --output <file>', 'ZIP to write, or the PDF with --preview; - is standard output')
    .option(
      '--verify-address <url>',
      'Public address of the installation (its ROWPRESS_PUBLIC_URL), for --verify-column',
      publicAddress,
    )
    .option('--merge <file>', 'Write all rows to one flattened PDF with a bookmark per row')
    .option('--preview <row>', 'Fill only this row and write its PDF', wholeNumber)
    .option(
      '--timestamp <iso>',
      'Timestamp of the manifest (default: SOURCE_DATE_EPOCH or 1980-01-01T00:00:00Z)',
    )
    .option('--keep-actions', 'Keep PDF actions that access other files and servers', false)
    .option(
      '--threads <n>',
      `Number of threads, at most ${MOST_THREADS} (default: one per 4,000 rows, at most ROWPRESS_WORKERS)`,
      threadCount,
    )
    .option('--cache <dir>', 'Keep prepared sources in this directory for the next run')
    .option('--json', 'Print one JSON object on standard output', false)
    .action(async (flags: FillFlags) => {
      const wrong = await misused(flags);
      const outcome = wrong === null ? await run(flags, settings()) : { ok: false as const, ...wrong };
      if (!outcome.ok) refuse(outcome, flags);
      else if (flags.json && !writesToStandardOutput(flags)) printJson(outcome.report);
    });
}

async function misused(flags: FillFlags): Promise<FillRefusal | null> {
  const { pdf, layout, rows, assets, output, merge, preview, outputKind, sheet, duplex } = flags;
  const wrong = (message: string): FillRefusal => ({ code: 'USAGE', message });
  if (output === undefined && merge === undefined) return wrong('pass -o <file>, --merge <file>, or both');
  if (preview !== undefined && (output === undefined || merge !== undefined))
    return wrong('--preview writes one PDF to -o <file>');
  if (sheet !== undefined && outputKind === 'zip' && merge === undefined)
    return wrong('--sheet needs --output-kind merged or both, or --merge <file>');
  if (duplex && sheet !== undefined)
    return wrong('--duplex adds blank pages after documents, so it cannot be combined with --sheet');
  if (duplex && outputKind === 'zip' && merge === undefined)
    return wrong('--duplex needs --output-kind merged or both, or --merge <file>');
  if (flags.passwordColumn !== undefined && (flags.outputKind !== 'zip' || merge !== undefined))
    return wrong(
      '--password-column encrypts the PDF of each row, so it needs --output-kind zip and no --merge',
    );
  if ((flags.verifyColumn === undefined) !== (flags.verifyAddress === undefined))
    return wrong('--verify-column and --verify-address must be passed together');
  if (flags.signManifest && (output === undefined || preview !== undefined))
    return wrong('--sign-manifest signs the manifest of a ZIP, so it needs -o <file> without --preview');
  return spareInputs([pdf, layout, rows, ...(assets === undefined ? [] : [assets])], [output, merge]);
}

async function run(flags: FillFlags, settings: FillSettings): Promise<FillOutcome> {
  const keys = await keysFor(flags, settings);
  if ('code' in keys) return { ok: false, ...keys };
  // Start the reader of the source first: it loads its modules while this process loads its own.
  setSandboxMode(settings.sandbox);
  const standby = new StandbyReader();
  try {
    const program = programOf('src/cli/fill/run-fill.ts').href;
    const { runFill } = (await import(program)) as typeof import('./fill/run-fill.ts');
    return await runFill(flags, settings, standby, keys);
  } finally {
    await standby.close();
  }
}

async function keysFor(flags: FillFlags, settings: FillSettings): Promise<FillKeys | FillRefusal> {
  const keys: { passwords?: string; verifyIds?: string; seal?: Uint8Array } = {};
  if (flags.passwordColumn !== undefined) {
    const found = await derived(settings, ROW_PASSWORDS, '--password-column');
    if (typeof found === 'object') return found;
    keys.passwords = found;
  }
  if (flags.verifyColumn !== undefined) {
    const found = await derived(settings, VERIFY_IDS, '--verify-column');
    if (typeof found === 'object') return found;
    keys.verifyIds = found;
  }
  if (flags.signManifest) {
    const { signingKey } = await import('./fill/signing-key.ts');
    const found = await signingKey(settings);
    if ('code' in found) return found;
    keys.seal = found;
  }
  return keys;
}

/** Loads the code of the installation secret only if a run needs it. */
async function derived(
  settings: FillSettings,
  purpose: string,
  option: string,
): Promise<string | FillRefusal> {
  const { derivedKey } = await import('./fill/derived-key.ts');
  return derivedKey(settings, purpose, option);
}

function refuse({ code, message, details }: FillRefusal, flags: FillFlags): void {
  process.exitCode = exitOf(code);
  if (process.exitCode === EXIT.usage) {
    process.stderr.write(`error: ${message}\n`);
    if (!flags.json) return;
  }
  const body = `${JSON.stringify({ code, message, details })}\n`;
  (writesToStandardOutput(flags) ? process.stderr : process.stdout).write(body);
}

/** Then standard output carries nothing but the product. */
function writesToStandardOutput({ output, merge }: FillFlags): boolean {
  return output === '-' || merge === '-';
}

function publicAddress(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must be an address that starts with http:// or https://.');
  return text.replace(/\/$/, '');
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be an integer from 1.');
  return Number(text);
}

function threadCount(text: string): number {
  const count = wholeNumber(text);
  if (count > MOST_THREADS) throw new InvalidArgumentError(`It must be at most ${MOST_THREADS}.`);
  return count;
}
