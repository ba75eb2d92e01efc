import { fontPackagesIn } from '#fill/draw/text/missing-glyphs.ts';
import { rowStatus } from '#fill/results/row-outcome.ts';
import type { RowPart } from '#fill/row-filler.ts';
import type { PreflightReport, ProblemCount, RowProblem } from '../engine-client.ts';

/** Maximum number of listed problems; all are counted. */
const LISTED = 1_000;

type Drawn = Pick<RowPart, 'applied' | 'skipped' | 'warnings' | 'error'>;

export class ProblemList {
  readonly #problems: RowProblem[] = [];
  readonly #counts = new Map<string, ProblemCount>();
  readonly #rows: number[] = [];
  #failed = 0;

  add(row: number, { applied, skipped, warnings, error }: Drawn): void {
    if (error === null && warnings.length === 0) return;
    const status = rowStatus({ applied, skipped }, error);
    this.#rows.push(row);
    if (error !== null) {
      this.#failed += 1;
      this.#note({ row, status, id: null, ...error });
    }
    for (const { overlay_id, code, message } of warnings)
      this.#note({ row, status, id: overlay_id, code, message });
  }

  report(rows: number): PreflightReport {
    return {
      rows,
      failedRows: this.#failed,
      problemRows: this.#rows,
      counts: [...this.#counts.values()].sort((a, b) => b.rows - a.rows),
      problems: this.#problems,
    };
  }

  #note(problem: RowProblem): void {
    const { row, id, code, message } = problem;
    const key = `${code} ${id}`;
    const known = this.#counts.get(key);
    const named = code === 'GLYPH_MISSING' ? fontPackagesIn(message) : [];
    this.#counts.set(key, {
      id,
      code,
      rows: (known?.rows ?? 0) + 1,
      firstRow: known?.firstRow ?? row,
      fontPackages: [...new Set([...(known?.fontPackages ?? []), ...named])],
    });
    if (this.#problems.length < LISTED) this.#problems.push(problem);
  }
}
