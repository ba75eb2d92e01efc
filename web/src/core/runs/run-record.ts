import type { OutputKind } from '#fill/output-kind.ts';
import type { RowRanges } from './row-ranges.ts';
import type { SheetChoice } from './sheet-choice.ts';

/** A run of a project: what it was made from and how it ended. Kept in the draft, newest first. */
export interface RunRecord {
  readonly jobId: string;
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly projectName: string;
  /** The PDF, the layout and the assets. Versions are counted within the project: equal digests have one version. */
  readonly layout: { readonly sha256: string; readonly version: number };
  readonly file: {
    readonly name: string;
    readonly sha256: string;
    readonly rowCount: number;
    /** Cells that were corrected in the editor and sent with their corrections. */
    readonly corrections: number;
  };
  /** The rows of the file that were sent. */
  readonly rows: RowRanges;
  /** Number of documents, if rows are grouped. */
  readonly documents?: number | undefined;
  /** SHA-256 of the rows as sent. */
  readonly sentSha256: string;
  /** The run whose failed rows this one repeats. */
  readonly retryOf: string | null;
  readonly options: RunOptions;
  /** Null while the job is open. */
  readonly result: RunResult | null;
}

/** The options of a run. Neither a webhook's secret nor anything else secret is kept. */
export interface RunOptions {
  readonly flattenForms: boolean;
  readonly includeStickers: boolean;
  /** Column keys with their names at that time. */
  readonly filenameColumns: readonly { readonly key: string; readonly name: string }[];
  readonly maxFailedRowPercent: number;
  readonly webhookUrl: string | null;
  /** Older drafts lack the following; they made a ZIP. */
  readonly output?: OutputKind | undefined;
  readonly sheet?: SheetChoice | undefined;
  readonly duplex?: boolean | undefined;
  readonly groupBy?: readonly { readonly key: string; readonly name: string }[] | undefined;
  /** The column, never a value. */
  readonly passwordColumn?: { readonly key: string; readonly name: string } | undefined;
}

export interface RunResult {
  readonly status: 'completed' | 'failed' | 'gone';
  /** Documents in the ZIP. */
  readonly created: number;
  readonly failed: number;
  /** Documents with skipped fields, and documents with notes. */
  readonly partial: number;
  readonly noted: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Until when the ZIP can be downloaded; null if there is none. */
  readonly expiresAt: string | null;
  readonly sizeBytes: number | null;
}

/** Maximum number of runs that a draft keeps. */
export const MAX_RUNS = 30;

/** Adds a run in front and removes the oldest ones above the limit. A job that is listed already moves to the front. */
export function withRun(
  runs: readonly RunRecord[],
  added: Omit<RunRecord, 'layout'> & { readonly layout: { readonly sha256: string } },
): readonly RunRecord[] {
  const { sha256 } = added.layout;
  const known = runs.find(({ layout }) => layout.sha256 === sha256)?.layout.version;
  const version = known ?? Math.max(0, ...runs.map(({ layout }) => layout.version)) + 1;
  const others = runs.filter(({ jobId }) => jobId !== added.jobId);
  return [{ ...added, layout: { sha256, version } }, ...others].slice(0, MAX_RUNS);
}

/** Sets the result of a run. Returns the same list if the run is not in it. */
export function withResult(
  runs: readonly RunRecord[],
  jobId: string,
  result: RunResult,
): readonly RunRecord[] {
  if (!runs.some((run) => run.jobId === jobId)) return runs;
  return runs.map((run) => (run.jobId === jobId ? { ...run, result } : run));
}

export const isDownloadable = ({ result }: RunRecord, now: number): boolean =>
  result?.status === 'completed' && result.expiresAt !== null && Date.parse(result.expiresAt) > now;
