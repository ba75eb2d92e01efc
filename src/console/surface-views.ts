import type { JobRecord } from '#storage/jobs/find-jobs.ts';

/**
 * What only a surface knows about its own jobs and names, handed in by `main.ts`: the console stands beside the surfaces
 * and imports none of them.
 */
export interface SurfaceViews {
  /** The id as the surface's own clients see it. */
  publicJobId(kind: string, id: string): string;
  /** The other way round; undefined when the text is no job id of any surface. */
  parseJobId(text: string): string | undefined;
  /** Below the acting prefix; null where a job has nothing to download. */
  downloadPath(job: JobRecord): string | null;
  /** Rows that failed or came with warnings, in order; undefined where they are no longer kept. */
  problemRows(job: JobRecord, page: ProblemPage): Promise<ProblemRows | undefined>;
  /** `master/skus`, by the number that items carry. */
  collectionName(no: number): string;
  readonly collectionNames: readonly string[];
  collectionNo(name: string): number | undefined;
}

export interface ProblemPage {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface ProblemRow {
  readonly row_number: number;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  /** The overlay, column or item at fault, if it is known. */
  readonly field: string | null;
  /** The label of the column that feeds the overlay. */
  readonly column_label?: string | null;
}

export interface ProblemRows {
  readonly items: readonly ProblemRow[];
  readonly next_cursor: string | null;
}
