import { create } from 'zustand';
import type { ProblemRow } from '#console/contract/jobs.ts';
import type { LayoutProblem } from '../engine/engine-client.ts';
import type { Project, RowsReading } from '../project/project.ts';

/** The inputs of a run. The result is shown as current only while the screen shows exactly these inputs. */
export interface RunSubject {
  readonly projectId: string;
  readonly projectName: string;
  readonly source: Project['source'];
  readonly layout: Project['layout'];
  readonly assets: Project['assets'];
  readonly rows: Blob;
  readonly rowsName: string;
  readonly reading: RowsReading;
}

/** The stage of a run. The run continues when its dialog is closed. */
export type RunStage =
  | { readonly at: 'choosing' }
  | { readonly at: 'sending'; readonly label: string }
  | {
      readonly at: 'refused';
      readonly message: string;
      readonly code: string | null;
      readonly requestId: string | null;
    }
  /** The request key was used for other inputs. */
  | { readonly at: 'changed'; readonly code: string; readonly requestId: string | null }
  | { readonly at: 'blocked'; readonly problems: readonly LayoutProblem[] }
  | { readonly at: 'running'; readonly job: RunningJob }
  | { readonly at: 'settled'; readonly job: RunningJob; readonly outcome: Outcome };

export interface RunningJob {
  readonly id: string;
  readonly account: string;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** The file's row that is row 1 of the job. */
  readonly firstRow: number;
  /** `performance.now()` at the first progress event, and the number of finished rows then. */
  readonly since: { readonly at: number; readonly done: number } | null;
  readonly rowsPerSecond: number | null;
}

export interface Outcome {
  readonly status: 'completed' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly fileSizeBytes: number | null;
  readonly expiresAt: string | null;
  /** Null if they could not be loaded. */
  readonly problems: ListedProblems | null;
}

export interface ListedProblems {
  readonly rows: readonly ProblemRow[];
  /** Whether the server has more than these. */
  readonly more: boolean;
}

interface RunState {
  readonly stage: RunStage;
  readonly subject: RunSubject | null;
}

export const useRun = create<RunState>(() => ({ stage: { at: 'choosing' }, subject: null }));
export const showStage = (stage: RunStage): void => useRun.setState({ stage });

/** Starts a run, which replaces the previous one. Returns a function that returns whether it is still the latest. */
export function beginRun(subject: RunSubject): () => boolean {
  useRun.setState({ subject });
  return () => useRun.getState().subject === subject;
}
