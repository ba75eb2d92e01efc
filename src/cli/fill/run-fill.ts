import { createHash } from 'node:crypto';
import { createRowFiller } from '#fill/create-row-filler.ts';
import { assetLimitsOf } from '#fill/draw/images/asset-limits.ts';
import type { FillOptions, RowPasswords, VerifyOptions } from '#fill/fill-options.ts';
import type { FillPlan } from '#fill/fill-plan.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import { groupColumnKeys, withGroupColumns } from '#fill/group-columns.ts';
import { labelledColumns } from '#fill/labelled-columns.ts';
import { MergedTooLarge } from '#fill/merge/place-fragment.ts';
import { movedLabels } from '#fill/moved-labels.ts';
import type { AssetSource } from '#fill/node/assets/asset-source.ts';
import { openAssets } from '#fill/node/assets/open-assets.ts';
import { BaseCache } from '#fill/node/base-cache.ts';
import { bundledFontLibrary } from '#fill/node/bundled-fonts.ts';
import { nativeRowCiphers } from '#fill/node/encrypt/native-row-cipher.ts';
import { engineName } from '#fill/node/engine-name.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { type OpenedFill, openFill, prefixOf } from '#fill/node/open-fill.ts';
import { setSandboxMode } from '#fill/node/sandbox/current.ts';
import { keepHeapSmall } from '#fill/node/small-heap.ts';
import type { StandbyReader } from '#fill/node/standby-reader.ts';
import { FillThreads } from '#fill/node/threads/fill-threads.ts';
import { nativeVerifyIds, type VerifiedWork, verifiedWork } from '#fill/node/verify/native-verify-ids.ts';
import { compareSource } from '#fill/package/compare-source.ts';
import { passwordColumnKey, withPasswordColumn } from '#fill/password-column.ts';
import { sheetMembers } from '#fill/sheet/sheet.ts';
import { DEFAULT_MAX_CELL_CHARS } from '#fill/values/check-cells.ts';
import { signsOf, undeclaredNumberColumns } from '#fill/values/decimal-signs.ts';
import { verifyColumnKey, withoutVerifyColumn } from '#fill/verify/verify-column.ts';
import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { startProgress } from '../progress.ts';
import { CliRefusal, type FillRefusal } from './cli-refusal.ts';
import { fillArchive } from './fill-archive.ts';
import type { FillFlags, FillKeys, FillSettings } from './fill-flags.ts';
import { fillMerged } from './fill-merged.ts';
import { fillMergedArchive } from './fill-merged-archive.ts';
import { groupedRows } from './grouped-rows.ts';
import { missingColumns } from './missing-columns.ts';
import { type Output, openOutput } from './output-file.ts';
import { readAssets } from './read-assets.ts';
import { type ReadPlan, readInput, readPlan } from './read-plan.ts';
import { openRowFile, type RowFile } from './row-file.ts';

/** With fewer rows, a second thread costs more to start than it saves. */
const ROWS_PER_THREAD = 4000;
const NAMED_ROWS = 5;
// A stated old generation, far above need, makes V8 collect in time: 63 MB per thread instead of 100. `keepHeapSmall` sets
// the young generation.
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512 };

/**
 * The result of a run. A refusal is a value too: the built file has its own error classes, which the command cannot
 * recognize.
 */
export type FillOutcome =
  | { readonly ok: true; readonly report: object }
  | ({ readonly ok: false } & FillRefusal);

export async function runFill(
  flags: FillFlags,
  settings: FillSettings,
  standby: StandbyReader,
  keys: FillKeys = {},
): Promise<FillOutcome> {
  keepHeapSmall();
  // Built into one file, this module has its own copy of the mode.
  setSandboxMode(settings.sandbox);
  const threads = new FillThreads(0, THREAD_LIMITS);
  try {
    return { ok: true, report: await fillOn(threads, flags, settings, standby, keys) };
  } catch (error) {
    if (error instanceof MergedTooLarge)
      return { ok: false, code: 'OUTPUT_TOO_LARGE', message: error.message };
    if (!(error instanceof CliRefusal)) throw error;
    return { ok: false, ...error.refusal };
  } finally {
    await threads.close();
  }
}

async function fillOn(
  threads: FillThreads,
  flags: FillFlags,
  settings: FillSettings,
  standby: StandbyReader,
  keys: FillKeys,
): Promise<object> {
  const started = performance.now();
  const timestamp = timestampOf(flags.timestamp, settings.sourceDateEpoch);
  const source = await readInput(flags.pdf);
  const read = await readPlan(flags.layout, settings);
  const asked: FillPlan = {
    layout: read.layout,
    assets: read.assets,
    options: {
      includeStickers: flags.includeStickers,
      flattenForms: isFlat(flags),
      output: flags.outputKind,
      sheet: flags.sheet,
      duplex: flags.duplex,
      keepActions: flags.keepActions || settings.keepPdfActions,
      filenameColumns: flags.filenameColumns,
    },
  };
  const cache = flags.cache === undefined ? undefined : new BaseCache(flags.cache);
  const opening = (chosen: FillPlan) =>
    openFill(source, chosen, { cache, takeReader: () => standby.take(true) });
  // The child prepares the source while this process counts the rows and further threads load the engine.
  const preparing = opening(asked);
  preparing.catch(() => undefined);
  const startThreads = (counted: number) => threads.start(furtherThreads(flags, counted, settings.workers));
  startThreads(0);
  const assets = await readAssets(flags.assets, assetLimitsOf(settings));
  const columns = labelledColumns(asked.layout, asked.options);
  const password = passwordsOf(flags, columns, keys.passwords);
  const groupBy = groupColumnsOf(flags, columns);
  const verifyColumn = verifyColumnOf(flags, columns);
  let needed = withGroupColumns(columns, groupBy);
  if (password !== undefined) needed = withPasswordColumn(needed, password.column);
  if (verifyColumn !== undefined) needed = withoutVerifyColumn(needed, verifyColumn);
  const labels = flags.matchColumns === 'label' ? needed : undefined;
  const rowFile = await openRowFile(flags.rows, { ...flags, labels }, startThreads, {
    ...DEFAULT_ROW_LIMITS,
    maxColumns: settings.maxColumns,
  });
  const rows = groupBy.length === 0 ? rowFile : await groupedRows(rowFile, groupBy);
  const decimalSigns = signsOf(undeclaredNumberColumns(asked.layout), rows.decimalSigns);
  const options = { ...asked.options, decimalSigns, password, ...(groupBy.length > 0 && { groupBy }) };
  const pdfSha256 = createHash('sha256').update(source).digest('hex');
  const files = { pdfSha256, packageSha256: read.packageSha256 };
  const verify = verifyColumn && verifyOptionsOf(flags, options, { ...files, column: verifyColumn }, keys);
  const plan: FillPlan = { ...asked, options: { ...options, ...(verify && { verify }) } };
  for (const advice of missingColumns(plan, rows.columns)) say(`warning: ${advice}`);
  const opened = await preparing;
  if (!opened.ok) throw new CliRefusal(opened.code, opened.message);
  if (flags.preview !== undefined) return preview(flags, opened.fill, plan, rows, assets, flags.preview);

  const setupMs = performance.now() - started;
  const report: Record<string, unknown> = { engine: engineName(plan.options.keepActions), rows: rows.count };
  if (rows.inputCount !== undefined) report.input_rows = rows.inputCount;
  if (flags.output !== undefined) {
    Object.assign(
      report,
      await archive(flags, opened.fill, plan, read, rows, assets, source, timestamp, threads, keys.seal),
    );
  }
  if (flags.merge !== undefined) {
    const flat: FillPlan = { ...plan, options: { ...plan.options, flattenForms: true } };
    const flattened = isFlat(flags) ? opened : await opening(flat);
    if (!flattened.ok) throw new CliRefusal(flattened.code, flattened.message);
    const included = await writing(flags.merge, async (output) => {
      const progress = await startProgress(rows.count, { verb: 'filling', unit: 'rows' });
      return fillMerged(
        flattened.fill,
        flat,
        rows,
        { assets, maxCellChars: DEFAULT_MAX_CELL_CHARS },
        output,
        progress,
      ).finally(progress.stop);
    });
    Object.assign(report, { merged: flags.merge, merged_rows: included });
    say(`${included} rows → ${flags.merge}`);
  }
  const rowsMs = performance.now() - started - setupMs;
  return { ...report, elapsed_ms: { setup: Math.round(setupMs), rows: Math.round(rowsMs) } };
}

async function archive(
  flags: FillFlags,
  fill: OpenedFill,
  plan: FillPlan,
  read: ReadPlan,
  rows: RowFile,
  assets: AssetSource | undefined,
  source: Uint8Array,
  timestamp: string,
  threads: FillThreads,
  sealKey: Uint8Array | undefined,
): Promise<object> {
  const target = flags.output ?? '-';
  const { layout, options } = plan;
  const warnings = [
    ...compareSource(layout.source, fill.base.facts.source, layout.form_fields),
    ...movedLabels(labelledColumns(layout, options), rows.header ?? []),
  ];
  for (const warning of warnings) say(`warning: ${warning.message}`);
  const progress = await startProgress(rows.count, { verb: 'filling', unit: 'rows' });
  const fillInto = flags.outputKind === 'zip' ? fillArchive : fillMergedArchive;
  const { summary, bytes, failedRows, notedRows } = await writing(target, (output) =>
    fillInto(
      {
        fill,
        plan,
        rows,
        maxFailedRowPercent: flags.maxFailedRowPercent,
        run: { threads, assets, maxCellChars: DEFAULT_MAX_CELL_CHARS },
        sealKey,
        head: {
          engine: engineName(plan.options.keepActions),
          timestamp,
          source: {
            pdf_sha256: createHash('sha256').update(source).digest('hex'),
            page_count: fill.base.facts.pages.length,
            package_sha256: read.packageSha256,
          },
          options: {
            include_stickers: flags.includeStickers,
            flatten_forms: isFlat(flags),
            filename_columns: flags.filenameColumns,
            ...(flags.groupBy.length > 0 && { group_by: flags.groupBy }),
            max_failed_row_percent: flags.maxFailedRowPercent,
            ...(flags.outputKind !== 'zip' && { output: flags.outputKind }),
            ...(flags.outputKind !== 'zip' &&
              flags.sheet !== undefined && { sheet: sheetMembers(flags.sheet) }),
            ...(flags.outputKind !== 'zip' && flags.duplex && { duplex: true }),
            ...(flags.passwordColumn !== undefined && { password_column: flags.passwordColumn }),
            ...(flags.verifyColumn !== undefined && { verify_column: flags.verifyColumn }),
            ...(sealKey !== undefined && { sign_manifest: true }),
            ...(plan.options.decimalSigns !== undefined && { decimal_signs: plan.options.decimalSigns }),
          },
          warnings,
          input_rows: rows.inputCount,
          columns: rows.inputs,
        },
      },
      output,
      progress,
    ).finally(progress.stop),
  );
  const findings = ofFailed(failedRows) + ofNoted(notedRows);
  say(`${summary.produced_rows} of ${rows.count} rows → ${target} (${bytes} bytes)${findings}`);
  return { output: target, bytes, summary, noted_rows: notedRows.length, warnings };
}

async function preview(
  flags: FillFlags,
  fill: OpenedFill,
  plan: FillPlan,
  rows: RowFile,
  assets: AssetSource | undefined,
  wanted: number,
): Promise<object> {
  const ports = {
    fonts: await createFontKit(bundledFontLibrary()),
    codec: nativeCodec,
    rowCiphers: nativeRowCiphers,
    verifyIds: nativeVerifyIds,
    jobAssets: openAssets(assets),
  };
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
      await writing(flags.output ?? '-', (output) =>
        output.write(plan.options.password === undefined ? [fill.base.bytes, tail] : [tail]),
      );
      return { output: flags.output, row: result };
    }
  }
  return usage(`row ${wanted} does not exist; the last row is ${rows.count}`);
}

/** Keys of the columns that rows are grouped by. */
function groupColumnsOf({ groupBy }: FillFlags, columns: readonly LabelledColumn[]): readonly string[] {
  const found = groupColumnKeys(columns, groupBy);
  return 'problem' in found ? usage(`--group-by ${found.problem}`) : found.keys;
}

/** The passwords of the rows, if the PDFs are encrypted. */
function passwordsOf(
  { passwordColumn, filenameColumns }: FillFlags,
  columns: readonly LabelledColumn[],
  key: string | undefined,
): RowPasswords | undefined {
  if (passwordColumn === undefined || key === undefined) return undefined;
  const found = passwordColumnKey(columns, passwordColumn, filenameColumns);
  if ('problem' in found) return usage(`--password-column ${found.problem}`);
  return { column: found.key, key };
}

/** The key of the column that receives the addresses of the documents. */
function verifyColumnOf(
  { verifyColumn, filenameColumns, groupBy, passwordColumn }: FillFlags,
  columns: readonly LabelledColumn[],
): string | undefined {
  if (verifyColumn === undefined) return undefined;
  const others = { filenames: filenameColumns, groupBy, password: passwordColumn };
  const found = verifyColumnKey(columns, verifyColumn, others);
  return 'problem' in found ? usage(`--verify-column ${found.problem}`) : found.key;
}

function verifyOptionsOf(
  { verifyAddress: address }: FillFlags,
  options: FillOptions,
  files: Pick<VerifiedWork, 'pdfSha256' | 'packageSha256' | 'column'>,
  { verifyIds: key }: FillKeys,
): VerifyOptions | undefined {
  if (address === undefined || key === undefined) return undefined;
  return { column: files.column, address, key, work: verifiedWork({ ...options, ...files }) };
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

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Returns the timestamp of the manifest. A timestamp from the command line is used verbatim. */
function timestampOf(timestamp: string | undefined, sourceDateEpoch: string | undefined): string {
  if (timestamp === undefined && sourceDateEpoch === undefined) return '1980-01-01T00:00:00Z';
  if (timestamp === undefined) {
    if (!/^\d{1,11}$/.test(sourceDateEpoch ?? '')) usage('SOURCE_DATE_EPOCH is not a number of seconds');
    return new Date(Number(sourceDateEpoch) * 1000).toISOString().replace('.000Z', 'Z');
  }
  if (!ISO_INSTANT.test(timestamp) || Number.isNaN(Date.parse(timestamp))) {
    usage('--timestamp must be an instant in ISO 8601, such as 2026-01-02T03:04:05Z');
  }
  return timestamp;
}

/** Returns how many additional threads are worthwhile for an archive with at least this many rows. */
function furtherThreads(flags: FillFlags, rows: number, most: number): number {
  if (flags.output === undefined || flags.preview !== undefined || flags.outputKind !== 'zip') return 0;
  return (flags.threads ?? Math.min(most, Math.floor(rows / ROWS_PER_THREAD))) - 1;
}

/** The fields of many rows cannot share one document, so a merged PDF has none, and `both` draws each row once. */
function isFlat({ flattenForms, outputKind }: FillFlags): boolean {
  return flattenForms || outputKind !== 'zip';
}

function ofFailed(rows: readonly number[]): string {
  return rows.length === 0 ? '' : `; ${rows.length} failed (${firstOf(rows)}), manifest.json says why`;
}

function ofNoted(rows: readonly number[]): string {
  return rows.length === 0 ? '' : `; ${rows.length} with notes (${firstOf(rows)}), see manifest.json`;
}

function firstOf(rows: readonly number[]): string {
  return rows.slice(0, NAMED_ROWS).join(', ') + (rows.length > NAMED_ROWS ? ', …' : '');
}

function usage(message: string): never {
  throw new CliRefusal('USAGE', message);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
