import { Command, InvalidArgumentError } from 'commander';
import { StandbyReader } from '../fill/node/standby-reader.ts';
import { EXIT, exitOf } from '../lib/errors/command-codes.ts';
import { CliRefusal } from './fill/cli-refusal.ts';
import type { FillFlags, FillSettings } from './fill/fill-flags.ts';

/**
 * `rowpress fill`: the engine without server or database, the same bytes. Messages go to stderr, with `--json` one
 * object to stdout; a refusal is `{"code","message"}` on stdout. Exit 0 ok, 1 refused, 2 usage, 3 threshold exceeded.
 */
export function fillCommand(settings: () => FillSettings): Command {
  return new Command('fill')
    .description('fill a PDF once per row, without a server')
    .requiredOption('--pdf <file>', 'the source PDF')
    .requiredOption('--layout <file>', 'a sealed package (.doqlo) or a layout.json')
    .requiredOption('--rows <file>', 'rows as .csv or .json')
    .option('-o, --output <file>', 'the ZIP to write, or the PDF with --preview; - is standard output')
    .option('--merge <file>', 'write all rows into one flattened PDF with a bookmark per row')
    .option('--preview <row>', 'fill this row alone and write its PDF', wholeNumber)
    .option('--max-failed-row-percent <n>', 'stop when more rows than this fail', percentage, 100)
    .option(
      '--timestamp <iso>',
      "the manifest's timestamp (default: SOURCE_DATE_EPOCH or 1980-01-01T00:00:00Z)",
    )
    .option('--flatten-forms', 'turn form fields into page content', false)
    .option('--include-stickers', 'draw sticker overlays', false)
    .option(
      '--filename-columns <a,b>',
      'columns whose values are appended to file names, at most 3',
      columns,
      [],
    )
    .option('--csv-header', 'line 1 of the CSV holds names', false)
    .option(
      '--threads <n>',
      'threads to fill with (default: one per 4,000 rows, at most ROWPRESS_WORKERS)',
      wholeNumber,
    )
    .option('--cache <dir>', 'keep prepared sources here for the next run')
    .option('--json', 'print one JSON object on standard output', false)
    .action(async (flags: FillFlags) => {
      try {
        const report = await run(flags, settings());
        if (flags.json && flags.output !== '-') process.stdout.write(`${JSON.stringify(report)}\n`);
      } catch (error) {
        if (!(error instanceof CliRefusal)) throw error;
        refuse(error, flags);
      }
    });
}

async function run(flags: FillFlags, settings: FillSettings): Promise<object> {
  if (flags.output === undefined && flags.merge === undefined)
    usage('give -o <file>, --merge <file>, or both');
  if (flags.preview !== undefined && (flags.output === undefined || flags.merge !== undefined)) {
    usage('--preview writes one PDF to -o <file>');
  }
  // The reader of the source starts first: it loads its modules while this process loads its own.
  const standby = new StandbyReader();
  try {
    const { runFill } = await import('./fill/run-fill.ts');
    return await runFill(flags, settings, standby);
  } finally {
    await standby.close();
  }
}

function refuse({ code, message, details }: CliRefusal, flags: FillFlags): void {
  process.exitCode = exitOf(code);
  if (process.exitCode === EXIT.usage) {
    process.stderr.write(`error: ${message}\n`);
    if (!flags.json) return;
  }
  const body = `${JSON.stringify({ code, message, ...(details === undefined ? {} : { details }) })}\n`;
  // With `-o -` standard output belongs to the product.
  (flags.output === '-' ? process.stderr : process.stdout).write(body);
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

function percentage(text: string): number {
  if (!/^(0|[1-9][0-9]?|100)$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 0 to 100.');
  return Number(text);
}

function columns(text: string): string[] {
  const names = list(text);
  if (names.length > 3) throw new InvalidArgumentError('at most 3 columns.');
  return names;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function usage(message: string): never {
  throw new CliRefusal('USAGE', message);
}
