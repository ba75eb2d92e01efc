import type { RowStatus } from '#fill/results/row-outcome.ts';
import { verdictOf } from './verdict.ts';

/** One problem of a row. */
export interface RowProblem {
  /** The overlay or form field; null if the whole row failed. */
  readonly id: string | null;
  readonly code: string;
  readonly message: string;
  /** Font packages whose installation would help. */
  readonly fontPackages?: readonly string[];
}

/** A row that was checked. A row without problems has an empty list. */
export interface CheckedRow {
  readonly row: number;
  readonly status: RowStatus;
  readonly problems: readonly RowProblem[];
}

/** How many rows have one problem at one field. */
export interface ProblemCount {
  readonly id: string | null;
  readonly code: string;
  readonly rows: number;
  readonly firstRow: number;
  readonly fontPackages: readonly string[];
}

/** The result of the check of all rows. */
export interface CheckReport {
  /** Number of rows that were checked. */
  readonly rows: number;
  readonly failedRows: number;
  /** Rows with the verdict `notes` and `problem`; the latter include the failed ones. */
  readonly notedRows: number;
  readonly brokenRows: number;
  readonly problemRows: readonly number[];
  readonly counts: readonly ProblemCount[];
  /** The first rows with problems, each with all of its problems. The other members cover all rows. */
  readonly listed: readonly CheckedRow[];
}

/** Maximum number of listed problems. A person fixes fewer in one go, and each costs about 200 bytes. */
export const LISTED_PROBLEMS = 20_000;

const keyOf = ({ id, code }: Pick<RowProblem, 'id' | 'code'>) => `${code} ${id}`;

/** Builds a report row by row. The rows of a group are added together, wherever they are in the file. */
export class ReportBuilder {
  readonly #listed: CheckedRow[] = [];
  readonly #counts = new Map<string, ProblemCount>();
  readonly #rows: number[] = [];
  #problems = 0;
  #failed = 0;
  #noted = 0;

  add(checked: CheckedRow): void {
    const { row, status, problems } = checked;
    if (problems.length === 0) return;
    this.#rows.push(row);
    if (status === 'failed') this.#failed += 1;
    if (verdictOf(status, problems.length) === 'notes') this.#noted += 1;
    for (const problem of problems) this.#count(row, problem);
    if (this.#problems + problems.length > LISTED_PROBLEMS) {
      // The list ends here: a later, shorter row must not follow a gap.
      this.#problems = LISTED_PROBLEMS;
      return;
    }
    this.#problems += problems.length;
    this.#listed.push(checked);
  }

  report(rows: number): CheckReport {
    return {
      rows,
      failedRows: this.#failed,
      notedRows: this.#noted,
      brokenRows: this.#rows.length - this.#noted,
      problemRows: [...this.#rows].sort((a, b) => a - b),
      counts: sorted([...this.#counts.values()]),
      listed: [...this.#listed].sort((a, b) => a.row - b.row),
    };
  }

  #count(row: number, problem: RowProblem): void {
    const key = keyOf(problem);
    this.#counts.set(key, countedOn(this.#counts.get(key), row, problem));
  }
}

function countedOn(known: ProblemCount | undefined, row: number, problem: RowProblem): ProblemCount {
  const { id, code, fontPackages = [] } = problem;
  return {
    id,
    code,
    rows: (known?.rows ?? 0) + 1,
    firstRow: Math.min(known?.firstRow ?? row, row),
    fontPackages: [...new Set([...(known?.fontPackages ?? []), ...fontPackages])],
  };
}

const sorted = (counts: readonly ProblemCount[]) => [...counts].sort((a, b) => b.rows - a.rows);

/**
 * Returns the report after some rows were checked again. Returns null if that needs a new check of all rows: a row has
 * problems that the report counts but does not list.
 */
export function withRechecked(report: CheckReport, rechecked: readonly CheckedRow[]): CheckReport | null {
  const before = new Map(report.listed.map((checked) => [checked.row, checked]));
  const counted = new Set(report.problemRows);
  if (rechecked.some(({ row }) => counted.has(row) && !before.has(row))) return null;
  const after = new Map(before);
  for (const checked of rechecked) {
    if (checked.problems.length > 0) after.set(checked.row, checked);
    else after.delete(checked.row);
    if (checked.problems.length > 0) counted.add(checked.row);
    else counted.delete(checked.row);
  }
  const listed = [...after.values()].sort((a, b) => a.row - b.row);
  const old = rechecked.flatMap(({ row }) => before.get(row) ?? []);
  const now = rechecked.filter(({ problems }) => problems.length > 0);
  const change = (has: (checked: CheckedRow) => boolean) => now.filter(has).length - old.filter(has).length;
  const noted = report.notedRows + change((checked) => verdictOf(checked.status, 1) === 'notes');
  return {
    ...report,
    failedRows: report.failedRows + change(({ status }) => status === 'failed'),
    notedRows: noted,
    brokenRows: counted.size - noted,
    problemRows: [...counted].sort((a, b) => a - b),
    counts: changedCounts(report.counts, old, now, listed),
    listed,
  };
}

/** Numbers change by the difference; the first rows and the font packages come from the listed rows. */
function changedCounts(
  counts: readonly ProblemCount[],
  old: readonly CheckedRow[],
  now: readonly CheckedRow[],
  listed: readonly CheckedRow[],
): readonly ProblemCount[] {
  const totals = new Map(counts.map((count) => [keyOf(count), count.rows]));
  const add = (rows: readonly CheckedRow[], by: number) => {
    for (const problem of rows.flatMap(({ problems }) => problems))
      totals.set(keyOf(problem), (totals.get(keyOf(problem)) ?? 0) + by);
  };
  add(old, -1);
  add(now, 1);
  const inList = new Map<string, ProblemCount>();
  for (const { row, problems } of listed)
    for (const problem of problems)
      inList.set(keyOf(problem), countedOn(inList.get(keyOf(problem)), row, problem));
  const known = new Map(counts.map((count) => [keyOf(count), count]));
  return sorted(
    [...totals].flatMap(([key, rows]) => {
      const count = inList.get(key) ?? known.get(key);
      return rows > 0 && count !== undefined ? [{ ...count, rows }] : [];
    }),
  );
}
