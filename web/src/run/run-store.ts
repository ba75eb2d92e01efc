import { create } from 'zustand';
import type { LayoutProblem } from '../engine/engine-client.ts';

/** Where a run is. It goes on when its dialog is closed. */
export type RunStage =
  | { readonly at: 'choosing' }
  | { readonly at: 'sending'; readonly label: string }
  | {
      readonly at: 'refused';
      readonly message: string;
      readonly code: string | null;
      readonly requestId: string | null;
    }
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
  /** `performance.now()` when the first progress was seen, and how many rows were done then. */
  readonly since: { readonly at: number; readonly done: number } | null;
  readonly rowsPerSecond: number | null;
}

export interface Outcome {
  readonly status: 'completed' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly fileSizeBytes: number | null;
  readonly expiresAt: string | null;
  readonly problems: readonly JobProblem[];
  readonly moreProblems: boolean;
}

export interface JobProblem {
  readonly row_number: number;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

export const useRun = create<{ stage: RunStage }>(() => ({ stage: { at: 'choosing' } }));
export const showStage = (stage: RunStage): void => useRun.setState({ stage });
