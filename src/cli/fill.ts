import { createHash } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import type { FillPlan } from '../fill/fill-plan.ts';
import { createFontKit } from '../fill/fonts/font-kit.ts';
import { BaseCache } from '../fill/node/base-cache.ts';
import { bundledFontLibrary } from '../fill/node/bundled-fonts.ts';
import { nativeCodec } from '../fill/node/native-codec.ts';
import { type OpenedFill, openFill, prefixOf } from '../fill/node/open-fill.ts';
import type { SealKeySettings } from '../fill/node/seal-key.ts';
import { StandbyReader } from '../fill/node/standby-reader.ts';
import { compareSource } from '../fill/package/compare-source.ts';
import { createRowFiller } from '../fill/row-filler.ts';
import { DEFAULT_MAX_CELL_CHARS } from '../fill/rows/check-cells.ts';
import { ENGINE_VERSION } from '../fill/version.ts';
import { CliRefusal } from './fill/cli-refusal.ts';
import { fillArchive } from './fill/fill-archive.ts';
import { fillMerged } from './fill/fill-merged.ts';
import { type Output, openOutput } from './fill/output-file.ts';
import { startProgress } from './fill/progress.ts';
import { type ReadPlan, readInput, readPlan } from './fill/read-plan.ts';
import { openRowFile, type RowFile } from './fill/row-file.ts';

/**
 * `rowpress fill`: the engine without server or database, the same bytes. Messages go to stderr, with `--json` one
 * object to stdout; a refusal is `{"code","message"}` on stdout. Exit 0 ok, 1 refused, 2 usage, 3 threshold exceeded.
 */
interface FillFlags {
  readonly pdf: string;
  readonly layout: string;
  readonly rows: string;
  readonly output?: string;
  readonly merge?: string;
  readonly preview?: number;
  readonly maxFailedRowPercent: number;
  readonly timestamp?: string;
  readonly flattenForms: boolean;
  readonly includeStickers: boolean;
  readonly filenameColumns: readonly string[];
  readonly csvHeader: boolean;
  readonly threads?: number;
  readonly cache?: string;
  readonly json: boolean;
}

/** Below this many rows a second thread costs more to start than it saves. */
const ROWS_PER_THREAD = 4000;

export interface FillSettings extends SealKeySettings {
  /** Most threads a run may use. */
  readonly workers: number;
  /** Seconds since 1970, from the environment's convention for reproducible builds. */
  readonly sourceDateEpoch: string | undefined;
}

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
    .option('--threads <n>', 'threads to fill with', wholeNumber)
    .option('--cache <dir>', 'keep prepared sources here for the next run')
    .option('--json', 'print one JSON object on standard output', false)
    .action(async (flags: FillFlags) => {
      try {
        const report = await runFill(flags, settings());
        if (flags.json && flags.output !== '-') process.stdout.write(`${JSON.stringify(report)}\n`);
      } catch (error) {
        if (!(error instanceof CliRefusal)) throw error;
        refuse(error, flags);
      }
    });
}

async function runFill(flags: FillFlags, settings: FillSettings): Promise<object> {
  const timestamp = timestampOf(flags.timestamp, settings.sourceDateEpoch);
  if (flags.output === undefined && flags.merge === undefined)
    usage('give -o <file>, --merge <file>, or both');
  if (flags.preview !== undefined && (flags.output === undefined || flags.merge !== undefined)) {
    usage('--preview writes one PDF to -o <file>');
  }
  const standby = new StandbyReader();
  try {
    return await fillWith(flags, settings, timestamp, standby);
  } finally {
    await standby.close();
  }
}

async function fillWith(
  flags: FillFlags,
  settings: FillSettings,
  timestamp: string,
  standby: StandbyReader,
): Promise<object> {
  const source = await readInput(flags.pdf);
  const read = await readPlan(flags.layout, settings);
  const plan: FillPlan = {
    layout: read.layout,
    assets: read.assets,
    options: {
      includeStickers: flags.includeStickers,
      flattenForms: flags.flattenForms,
      filenameColumns: flags.filenameColumns,
    },
  };
  const cache = flags.cache === undefined ? undefined : new BaseCache(flags.cache);
  const opening = (chosen: FillPlan) =>
    openFill(source, chosen, { cache, takeReader: () => standby.take(true) });
  // The child prepares while this process reads the rows; either may refuse.
  const [rows, opened] = await Promise.all([openRowFile(flags.rows, flags.csvHeader), opening(plan)]);
  if (!opened.ok) throw new CliRefusal(opened.code, opened.message);
  if (flags.preview !== undefined) return preview(flags, opened.fill, plan, rows, flags.preview);

  const report: Record<string, unknown> = { engine: ENGINE_VERSION, rows: rows.count };
  if (flags.output !== undefined) {
    Object.assign(
      report,
      await archive(flags, opened.fill, plan, read, rows, source, timestamp, settings.workers),
    );
  }
  if (flags.merge !== undefined) {
    const flat: FillPlan = { ...plan, options: { ...plan.options, flattenForms: true } };
    const flattened = flags.flattenForms ? opened : await opening(flat);
    if (!flattened.ok) throw new CliRefusal(flattened.code, flattened.message);
    const included = await writing(flags.merge, (output) => {
      const progress = startProgress(rows.count);
      return fillMerged(flattened.fill, flat, rows, DEFAULT_MAX_CELL_CHARS, output, progress).finally(
        progress.stop,
      );
    });
    Object.assign(report, { merged: flags.merge, merged_rows: included });
    say(`${included} rows → ${flags.merge}`);
  }
  return report;
}

async function archive(
  flags: FillFlags,
  fill: OpenedFill,
  plan: FillPlan,
  read: ReadPlan,
  rows: RowFile,
  source: Uint8Array,
  timestamp: string,
  workers: number,
): Promise<object> {
  const target = flags.output ?? '-';
  const warnings = compareSource(plan.layout.source, fill.base.facts.source, plan.layout.form_fields);
  for (const warning of warnings) say(`warning: ${warning.message}`);
  const progress = startProgress(rows.count);
  const { summary, bytes } = await writing(target, (output) =>
    fillArchive(
      {
        fill,
        plan,
        rows,
        maxFailedRowPercent: flags.maxFailedRowPercent,
        run: {
          threads: flags.threads ?? threadsFor(rows.count, workers),
          maxCellChars: DEFAULT_MAX_CELL_CHARS,
        },
        head: {
          engine: ENGINE_VERSION,
          timestamp,
          source: {
            pdf_sha256: createHash('sha256').update(source).digest('hex'),
            page_count: fill.base.facts.pages.length,
            package_sha256: read.packageSha256,
          },
          options: {
            include_stickers: flags.includeStickers,
            flatten_forms: flags.flattenForms,
            filename_columns: flags.filenameColumns,
            max_failed_row_percent: flags.maxFailedRowPercent,
          },
          warnings,
        },
      },
      output,
      progress,
    ).finally(progress.stop),
  );
  say(`${summary.produced_rows} of ${rows.count} rows → ${target} (${bytes} bytes)`);
  return { output: target, bytes, summary, warnings };
}

async function preview(
  flags: FillFlags,
  fill: OpenedFill,
  plan: FillPlan,
  rows: RowFile,
  wanted: number,
): Promise<object> {
  const ports = { fonts: await createFontKit(bundledFontLibrary()), codec: nativeCodec };
  const filler = await createRowFiller(fill.base, prefixOf(fill), plan, ports);
  let rowNumber = 0;
  for await (const batch of rows.batches()) {
    for (const cells of batch) {
      rowNumber += 1;
      if (rowNumber !== wanted) continue;
      const { tail, result } = filler.fill(rowNumber, cells);
      if (tail === null) {
        throw new CliRefusal(
          result.error?.code ?? 'ROW_RENDER_FAILED',
          result.error?.message ?? 'The row failed.',
        );
      }
      await writing(flags.output ?? '-', (output) => output.write([fill.base.bytes, tail]));
      return { output: flags.output, row: result };
    }
  }
  return usage(`there is no row ${wanted}; the file has ${rows.count}`);
}

async function writing<T>(target: string, work: (output: Output) => Promise<T>): Promise<T> {
  const output = await openOutput(target);
  try {
    const result = await work(output);
    await output.finish();
    return result;
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

function refuse({ code, message, exitCode, details }: CliRefusal, flags: FillFlags): void {
  process.exitCode = exitCode;
  if (exitCode === 2) {
    process.stderr.write(`error: ${message}\n`);
    return;
  }
  const body = `${JSON.stringify({ code, message, ...(details === undefined ? {} : { details }) })}\n`;
  // With `-o -` standard output belongs to the product.
  (flags.output === '-' ? process.stderr : process.stdout).write(body);
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** A given timestamp goes into the manifest as it was written. */
function timestampOf(timestamp: string | undefined, sourceDateEpoch: string | undefined): string {
  if (timestamp === undefined && sourceDateEpoch === undefined) return '1980-01-01T00:00:00Z';
  if (timestamp === undefined) {
    if (!/^\d{1,11}$/.test(sourceDateEpoch ?? '')) usage('SOURCE_DATE_EPOCH is not a number of seconds');
    return new Date(Number(sourceDateEpoch) * 1000).toISOString().replace('.000Z', 'Z');
  }
  if (!ISO_INSTANT.test(timestamp) || Number.isNaN(Date.parse(timestamp))) {
    usage('the timestamp is not an instant in ISO 8601, like 2026-01-02T03:04:05Z');
  }
  return timestamp;
}

function threadsFor(rows: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(rows / ROWS_PER_THREAD)));
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1.');
  return Number(text);
}

function percentage(text: string): number {
  if (!/^(0|[1-9][0-9]?|100)$/.test(text))
    throw new InvalidArgumentError('must be a whole number from 0 to 100.');
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
  throw new CliRefusal('USAGE', message, 2);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
