import { type CellPatches, patchedCells, withoutPatches } from '../core/rows/cell-patches.ts';
import type { OpenedRowsFile } from '../engine/engine-client.ts';
import { fileDigest } from '../files/file-digest.ts';
import type { RowsFile, RowsInfo, RowsReading } from '../project/project.ts';
import { tell } from '../ui/messages.tsx';

export const correctionsWords = (count: number): string =>
  count === 1 ? '1 correction' : `${count} corrections`;

/** Returns the reading with the corrections of the project if the file is the one that they belong to. */
export async function withOwnCorrections(
  { file }: RowsFile,
  reading: RowsReading,
  known: CellPatches | null,
): Promise<RowsReading> {
  if ((reading.patches ?? null) !== null || known === null || known.cells.length === 0) return reading;
  return (await fileDigest(file)) === known.file ? { ...reading, patches: known } : reading;
}

/** Returns the reading without corrections that belong to another file, which would change the wrong rows. */
export async function withoutForeignCorrections(
  { file, fileName }: RowsFile,
  reading: RowsReading,
): Promise<RowsReading> {
  const { patches = null } = reading;
  if (patches === null || patches.cells.length === 0 || (await fileDigest(file)) === patches.file)
    return reading;
  tell(
    'bad',
    `${correctionsWords(patches.cells.length)} removed: they belong to another file than ${fileName}.`,
  );
  return { ...reading, patches: null };
}

/** Removes corrections that do not fit the opened file, and says so. */
export function withoutUnfitting(reading: RowsReading, { unfitting }: OpenedRowsFile): RowsReading {
  const { patches = null } = reading;
  if (patches === null || unfitting.length === 0) return reading;
  tell(
    'bad',
    `${correctionsWords(unfitting.length)} removed: the file is read differently now, and those cells have other texts. Undo restores them.`,
  );
  return { ...reading, patches: { ...patches, cells: withoutPatches(patches.cells, unfitting) } };
}

/** Whether corrections of one file can be offered for the other: both have the same rows and columns. */
export function isSameShape(a: RowsInfo | null, b: RowsInfo): boolean {
  return a !== null && a.rowCount === b.rowCount && JSON.stringify(a.header) === JSON.stringify(b.header);
}

/** Says that another file drops the corrections, and offers to apply them to it if it has the same rows and columns. */
export function tellDropped(known: CellPatches | null, fileName: string, apply: (() => void) | null): void {
  const count = patchedCells(known).length;
  if (count === 0) return;
  const words = `${correctionsWords(count)} of the previous file are not applied to ${fileName}.`;
  tell('good', words, apply === null ? {} : { action: { label: 'Apply them', run: apply } });
}
