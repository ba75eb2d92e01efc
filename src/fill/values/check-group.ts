import { GroupCells } from '#lib/rows/group-cells.ts';
import { RowNotes } from '../results/row-notes.ts';
import type { RowError, RowWarning } from '../results/row-outcome.ts';
import { cellErrorNotes, checkMappedCells } from './check-cells.ts';
import { cellText } from './resolve-value.ts';
import type { RowCells } from './row-cells.ts';

/** What the checks of a document need to know about its layout. */
export interface CheckedParts {
  /** Ids of the parts that depend on each mapped column (mapped-columns.ts). */
  readonly columnUsers: ReadonlyMap<string, readonly string[]>;
  readonly tables: ReadonlySet<string>;
  readonly groupBy: readonly string[];
  readonly maxCellChars: number;
}

export type Checked =
  | { readonly notes: readonly RowWarning[] }
  | { readonly error: RowError; readonly column?: string };

const NO_NOTES: Checked = { notes: [] };

/** Checks the cells of a document before anything is drawn: of its row, or of every row of its group. */
export class GroupChecks {
  readonly #parts: CheckedParts;
  readonly #mapped: readonly string[];
  /** Columns of tables, and of everything else. */
  readonly #inTables: ReadonlyMap<string, readonly string[]>;
  readonly #once: ReadonlyMap<string, readonly string[]>;

  constructor(parts: CheckedParts) {
    const { columnUsers, groupBy, tables } = parts;
    this.#parts = parts;
    this.#mapped = [...new Set([...columnUsers.keys(), ...groupBy])];
    this.#inTables = usersAmong(columnUsers, (id) => tables.has(id));
    this.#once = usersAmong(columnUsers, (id) => !tables.has(id));
  }

  check(cells: RowCells): Checked {
    if (cells instanceof GroupCells) return this.#checkGroup(cells);
    const verdict = checkMappedCells(cells, this.#mapped, this.#parts.maxCellChars);
    if (verdict === null) return NO_NOTES;
    return verdict === 'hasErrors' ? { notes: cellErrorNotes(cells, this.#parts.columnUsers) } : verdict;
  }

  #checkGroup(group: GroupCells): Checked {
    const { maxCellChars, groupBy } = this.#parts;
    if (groupBy.every((key) => cellText(group, key).trim() === '')) return { error: blankGroup(groupBy) };
    const notes: RowWarning[] = [];
    const rowNotes = new RowNotes(notes);
    for (const { number, cells } of group.rows) {
      const verdict = checkMappedCells(cells, this.#mapped, maxCellChars);
      if (verdict === null) continue;
      if (verdict !== 'hasErrors') {
        const { code, message } = verdict.error;
        return { column: verdict.column, error: { code, message: `Row ${number}: ${message}` } };
      }
      const users = cells === group.rows[0]?.cells ? this.#parts.columnUsers : this.#inTables;
      for (const note of cellErrorNotes(cells, users))
        rowNotes.add({ ...note, message: `Row ${number}: ${note.message}`, input_row_number: number });
    }
    rowNotes.finish();
    for (const [column, ids] of this.#once) {
      const number = firstOther(group, column);
      if (number === undefined) continue;
      const message = `The rows of the group have different values in ${column}; the value of row ${group.rows[0]?.number} is shown, row ${number} has another one.`;
      for (const overlay_id of ids)
        notes.push({ code: 'GROUP_VALUES_DIFFER', message, overlay_id, input_row_number: number });
    }
    return notes.length === 0 ? NO_NOTES : { notes };
  }
}

/** The number of the first row whose value differs from that of the group's first row. */
export function firstOther({ rows }: GroupCells, column: string): number | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const value = cellText(first.cells, column);
  return rows.find(({ cells }) => cellText(cells, column) !== value)?.number;
}

function blankGroup(groupBy: readonly string[]): RowError {
  const message = `The rows have no value in ${groupBy.join(' and ')}, so they belong to no document.`;
  return { code: 'ROW_GROUP_BLANK', message };
}

function usersAmong(
  users: ReadonlyMap<string, readonly string[]>,
  isMember: (id: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...users].flatMap(([column, ids]) => {
      const members = ids.filter(isMember);
      return members.length === 0 ? [] : [[column, members] as const];
    }),
  );
}
