/**
 * Corrections of single cells, kept beside the rows file, which never changes. A correction names its column by the
 * project's key, so it stays with the column if the file's columns are reordered.
 */
export interface CellPatch {
  /** From 1, without the header. */
  readonly row: number;
  readonly column: string;
  /** The text in the file. The correction applies only while the file has this text there. */
  readonly was: string;
  readonly text: string;
}

export interface CellPatches {
  /** SHA-256 of the rows file. */
  readonly file: string;
  readonly cells: readonly CellPatch[];
}

const NONE: readonly CellPatch[] = [];

export const patchedCells = (patches: CellPatches | null | undefined): readonly CellPatch[] =>
  patches?.cells ?? NONE;

const keyOf = ({ row, column }: Pick<CellPatch, 'row' | 'column'>) => `${row} ${column}`;

/** Returns the corrections after further ones, in row order. A cell that gets its text in the file back is not corrected. */
export function withPatches(cells: readonly CellPatch[], further: readonly CellPatch[]): CellPatch[] {
  const all = new Map(cells.map((patch) => [keyOf(patch), patch]));
  for (const patch of further) {
    const was = all.get(keyOf(patch))?.was ?? patch.was;
    if (patch.text === was) all.delete(keyOf(patch));
    else all.set(keyOf(patch), { ...patch, was });
  }
  return [...all.values()].sort((a, b) => a.row - b.row || (a.column < b.column ? -1 : 1));
}

export function withoutPatches(cells: readonly CellPatch[], removed: readonly CellPatch[]): CellPatch[] {
  const keys = new Set(removed.map(keyOf));
  return cells.filter((patch) => !keys.has(keyOf(patch)));
}

/** Rows whose corrections differ between two states, in order. */
export function rowsThatDiffer(a: readonly CellPatch[], b: readonly CellPatch[]): number[] {
  const before = new Map(a.map((patch) => [keyOf(patch), patch.text]));
  const after = new Map(b.map((patch) => [keyOf(patch), patch.text]));
  const rows = [...a, ...b]
    .filter((patch) => before.get(keyOf(patch)) !== after.get(keyOf(patch)))
    .map(({ row }) => row);
  return [...new Set(rows)].sort((one, other) => one - other);
}

/** Whether two states of an object are equal except for their corrections. */
export function differInPatchesOnly<Reading extends { readonly patches?: CellPatches | null }>(
  a: Reading,
  b: Reading,
): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)] as (keyof Reading)[]);
  return [...keys].every((key) => key === 'patches' || a[key] === b[key]);
}
