import { type IdPart, uuidParts } from '#lib/id-part.ts';
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
  /** What a shortened public id, or a part of one, can mean. Returns an empty list if the text is neither. */
  idParts?(text: string): readonly IdPart[];
  /** A path of the surface, below its prefix; usually a job has nothing to download. */
  downloadPath?(job: JobRecord): string | undefined;
  /** Rows that failed or have warnings, in order; usually none. */
  problemRows?(job: JobRecord, page: ProblemPage): Promise<ProblemRows>;
  /** The files that the job was made from; usually those in the blob store, without a name. */
  files?(job: JobRecord): readonly JobFile[];
  /** A retry of the job's rows without a result. Undefined if there is nothing to retry; usually there is no retry. */
  retry?(job: JobRecord): Promise<JobRetry | undefined>;
  /** Counts that only the outcome of a settled job holds. */
  outcomeCounts?(outcome: unknown): OutcomeCounts;
}

/** One input of a job. */
export interface JobFile {
  readonly kind: 'pdf' | 'package' | 'rows' | 'pictures';
  /** As the client sent it. */
  readonly name: string | null;
  /** Size as sent; by default that of the blob. */
  readonly bytes?: number;
  readonly sha256?: string;
  /** The blob that holds the file while it is stored. */
  readonly blob: string;
  /** The blob holds another form of the file, so its size and its digest are not those of the file. */
  readonly isOtherForm?: true;
  readonly pages?: number;
  readonly rows?: number;
}

export interface JobRetry {
  /** POST to this path of the surface, below its prefix, makes the new job. */
  readonly path: string;
  readonly rows: number;
  /** All rows, because the job delivered none. */
  readonly all: boolean;
  /** False once the inputs are deleted or the server would draw them differently. */
  readonly possible: boolean;
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
  /** The column that feeds the overlay, and its label. */
  readonly column?: string | null;
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

  /** What the text can mean as a job id of any form, shortened or not. */
  idParts(text: string): readonly IdPart[] {
    const whole = this.parseId(text);
    if (whole !== undefined) return uuidParts(whole).slice(0, 1);
    return [...uuidParts(text), ...[...this.#views.values()].flatMap(({ idParts }) => idParts?.(text) ?? [])];
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

  /** Returns undefined if the surface does not describe its files. */
  files(job: JobRecord): readonly JobFile[] | undefined {
    return this.#of(job.kind).files?.(job);
  }

  async retry(job: JobRecord): Promise<JobRetry | undefined> {
    const retry = await this.#of(job.kind).retry?.(job);
    return retry && { ...retry, path: `${ACTING_PREFIX}/${surfaceOf(job.kind)}${retry.path}` };
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
