import { isUuid } from '#lib/ids.ts';
import { BlobMissing } from '#storage/blobs/blob-store.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { ACTING_PREFIX } from './dialect.ts';

/** How one surface shows its own jobs. A member that is absent has the usual answer. */
export interface JobViews {
  /** The id in the form that clients of the surface see; usually the UUID. */
  publicId?(id: string): string;
  /** The UUID of a public id. Returns undefined if the text is not one. */
  parseId?(text: string): string | undefined;
  /** A path of the surface, below its prefix; usually a job has nothing to download. */
  downloadPath?(job: JobRecord): string | undefined;
  /** Rows that failed or have warnings, in order; usually none. */
  problemRows?(job: JobRecord, page: ProblemPage): Promise<ProblemRows>;
  /** Counts that only the outcome of a settled job holds. */
  outcomeCounts?(outcome: unknown): OutcomeCounts;
}

export interface OutcomeCounts {
  /** Rows of a job that finds its rows while it runs. */
  readonly found?: number;
  /** Rows that succeeded with warnings. */
  readonly warned?: number;
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

/** The views of all surfaces: the first part of a job's kind names its surface. */
export class AllJobViews {
  readonly #views: ReadonlyMap<string, JobViews>;

  constructor(views: ReadonlyMap<string, JobViews>) {
    this.#views = views;
  }

  publicId(kind: string, id: string): string {
    return this.#of(kind).publicId?.(id) ?? id;
  }

  /** The UUID of an id in any form. Returns undefined if the text is not a job id of any surface. */
  parseId(text: string): string | undefined {
    if (isUuid(text)) return text.toLowerCase();
    for (const { parseId } of this.#views.values()) {
      const id = parseId?.(text);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  downloadPath(job: JobRecord): string | null {
    const path = this.#of(job.kind).downloadPath?.(job);
    return path === undefined ? null : `${ACTING_PREFIX}/${surfaceOf(job.kind)}${path}`;
  }

  /** Returns undefined if the rows are no longer kept. */
  async problemRows(job: JobRecord, page: ProblemPage): Promise<ProblemRows | undefined> {
    try {
      const rows = await this.#of(job.kind).problemRows?.(job, page);
      return rows ?? { items: [], next_cursor: null };
    } catch (error) {
      if (error instanceof BlobMissing) return undefined;
      throw error;
    }
  }

  outcomeCounts(kind: string, outcome: unknown): OutcomeCounts {
    return this.#of(kind).outcomeCounts?.(outcome) ?? {};
  }

  #of(kind: string): JobViews {
    return this.#views.get(surfaceOf(kind)) ?? {};
  }
}

/** `name.export` → `name`. */
export const surfaceOf = (kind: string): string => kind.split('.', 1)[0] ?? kind;
