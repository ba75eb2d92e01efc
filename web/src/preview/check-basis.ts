import { differInPatchesOnly, patchedCells, rowsThatDiffer } from '../core/rows/cell-patches.ts';
import type { PictureSet } from '../data/pictures/picture-set.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { Project, RowsReading } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { flattens, sheetOf } from '../run/run-choices.ts';

/** Everything that the check of all rows depends on. Its report is valid while these stay the same. */
export interface CheckBasis {
  readonly source: Project['source'];
  readonly layout: Project['layout'];
  readonly assets: Project['assets'];
  readonly file: Blob;
  readonly pictures: PictureSet | null;
  readonly reading: RowsReading;
  readonly includeStickers: boolean;
  readonly flattenForms: boolean;
  /** Rows without a usable password fail. */
  readonly passwordColumn: string | null;
  /** The columns that rows are grouped by. */
  readonly groupBy: string;
  /** Whether the run prints sheets of labels. */
  readonly onSheets: boolean;
  /** How numbers are read. Corrections can change it, and with it any row. */
  readonly decimalSigns: string;
}

/** Returns the basis of a check started now; null while there is no project or there are no rows. */
export function basisNow(): CheckBasis | null {
  const { project, rows, rowsReading } = useEditor.getState();
  const { rowsFile, pictures, run } = useWork.getState();
  if (project === null || rows === null || rowsFile === null) return null;
  const { source, layout, assets } = project;
  const { includeStickers, passwordColumn } = run;
  return {
    source,
    layout,
    assets,
    file: rowsFile.file,
    pictures,
    reading: rowsReading,
    includeStickers,
    flattenForms: flattens(run),
    passwordColumn,
    groupBy: run.groupBy.join(' '),
    onSheets: sheetOf(run) !== null,
    decimalSigns: JSON.stringify(rows.decimalSigns),
  };
}

/**
 * Whether a report of `a` is valid for `b`, except for rows with other corrections (`correctedSince`). Values are replaced
 * when they change, so comparing object identity is enough.
 */
export function isSameBasis(a: CheckBasis, b: CheckBasis | null): boolean {
  if (b === null || !differInPatchesOnly(a.reading, b.reading)) return false;
  return (Object.keys(a) as (keyof CheckBasis)[]).every((part) => part === 'reading' || a[part] === b[part]);
}

/** Whether corrections moved rows to other groups, so that all rows must be checked again. */
export function isRegrouped(a: CheckBasis, b: CheckBasis): boolean {
  const keys = b.groupBy.split(' ');
  const ofGroups = ({ reading }: CheckBasis) =>
    patchedCells(reading.patches).filter(({ column }) => keys.includes(column));
  return rowsThatDiffer(ofGroups(a), ofGroups(b)).length > 0;
}

/** Rows whose corrections differ, which must be checked again. */
export const correctedSince = (a: CheckBasis, b: CheckBasis): readonly number[] =>
  rowsThatDiffer(patchedCells(a.reading.patches), patchedCells(b.reading.patches));
