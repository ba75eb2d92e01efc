import { open, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FormInput, NewExport } from '#client/rowpress.ts';
import { CommandFailed } from '../command-failed.ts';
import { reason } from '../files.ts';
import type { FillFlags } from '../fill/fill-flags.ts';

export type SharedFlags = Pick<
  FillFlags,
  | 'maxFailedRowPercent'
  | 'flattenForms'
  | 'includeStickers'
  | 'filenameColumns'
  | 'groupBy'
  | 'csvHeader'
  | 'matchColumns'
  | 'csvEncoding'
  | 'cellValues'
  | 'outputKind'
  | 'sheet'
  | 'duplex'
  | 'passwordColumn'
  | 'verifyColumn'
  | 'signManifest'
>;

/** The files and options of a new job. */
export interface ExportFlags extends SharedFlags {
  readonly assets?: string;
  readonly rows?: string;
  readonly rowsFrom?: string;
  readonly dryRun: boolean;
}

/** Returns the request for these options. Files are streamed from disk on every attempt, except rows on standard input. */
export async function exportInput(flags: ExportFlags, form: FormInput): Promise<NewExport> {
  if (flags.assets !== undefined) await requireFile(flags.assets);
  const input = {
    ...form,
    ...(await rowInput(flags)),
    ...(flags.assets !== undefined && { assets: flags.assets }),
    maxFailedRowPercent: flags.maxFailedRowPercent,
    flattenForms: flags.flattenForms,
    includeStickers: flags.includeStickers,
    filenameColumns: flags.filenameColumns,
    ...(flags.groupBy.length > 0 && { groupBy: flags.groupBy }),
    csvHeader: flags.csvHeader,
    matchColumns: flags.matchColumns,
    ...(flags.csvEncoding !== undefined && { csvEncoding: flags.csvEncoding }),
    cellValues: flags.cellValues,
    dryRun: flags.dryRun,
    output: flags.outputKind,
    ...(flags.sheet !== undefined && { sheet: flags.sheet }),
    ...(flags.duplex && { duplex: true }),
    ...(flags.passwordColumn !== undefined && { passwordColumn: flags.passwordColumn }),
    ...(flags.verifyColumn !== undefined && { verifyColumn: flags.verifyColumn }),
    ...(flags.signManifest && { signManifest: true }),
  };
  return input as unknown as NewExport;
}

async function rowInput({ rows, rowsFrom }: ExportFlags): Promise<object> {
  if ((rows === undefined) === (rowsFrom === undefined))
    throw new CommandFailed('USAGE', 'Pass either --rows FILE or --rows-from NAME.');
  if (rows === undefined) return { rowsFrom };
  if (rows === '-') return { csv: await buffer(process.stdin) };
  await requireFile(rows);
  // Sent as text, because numbers that pass through JavaScript can lose digits.
  if (extname(rows).toLowerCase() === '.json') return { rowsJson: await readFile(rows, 'utf8') };
  return (await beginsWithPk(rows)) ? { xlsx: rows } : { csv: rows };
}

/** A workbook is a ZIP, whatever its name. */
async function beginsWithPk(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer: head } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return head.toString('latin1') === 'PK';
  } finally {
    await file.close();
  }
}

export async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandFailed('USAGE', `${path} cannot be read: ${reason(error)}`);
  });
  if (!found.isFile()) throw new CommandFailed('USAGE', `${path} is not a file.`);
}
