import { create } from 'zustand';
import type { RowRanges } from '../core/runs/row-ranges.ts';
import type { PictureSet } from '../data/pictures/picture-set.ts';
import type { LayoutProblem } from '../engine/engine-client.ts';
import type { Project, RowsReading } from '../project/project.ts';
import type { FoundProblems } from './check-before-run.ts';
import type { ListedProblems } from './problem-rows.ts';
import type { RunChoices } from './run-choices.ts';

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
  readonly pictures: PictureSet | null;
  readonly choices: RunChoices;
}

/** A run that was ordered: the account, the rows and the options. */
export interface RunOrder {
  readonly account: string;
  readonly rows: RowRanges;
  /** Number of documents: of rows, or of groups. */
  readonly documents: number;
  readonly choices: RunChoices;
  /** The job whose failed rows this run repeats. */
  readonly retryOf: string | null;
}

/** The stage of a run. The run continues when its dialog is closed, except while it is checked. */
export type RunStage =
  | { readonly at: 'idle' }
  | { readonly at: 'checking'; readonly order: RunOrder }
  /** The check found problems, or could not be made; the user decides. */
  | { readonly at: 'found'; readonly order: RunOrder; readonly found: FoundProblems }
  | { readonly at: 'sending'; readonly label: string }
  | {
      readonly at: 'refused';
      readonly message: string;
      readonly code: string | null;
      readonly requestId: string | null;
    }
  /** The request key was used for other inputs. */
  | {
      readonly at: 'changed';
      readonly order: RunOrder;
      readonly code: string;
      readonly requestId: string | null;
    }
  | { readonly at: 'blocked'; readonly problems: readonly LayoutProblem[] }
  | { readonly at: 'running'; readonly job: RunningJob }
  | { readonly at: 'settled'; readonly job: RunningJob; readonly outcome: Outcome };

export interface RunningJob {
  readonly id: string;
  readonly account: string;
  /** Documents: rows, or groups of rows. */
  readonly total: number;
  readonly isGrouped: boolean;
  readonly done: number;
  readonly failed: number;
  /** The rows of the file that the job has, in its order. */
  readonly rows: RowRanges;
  /** The name of the rows file. */
  readonly rowsName: string;
  readonly retryOf: string | null;
  /** The Idempotency-Key that it was sent with; null if it is not known. */
  readonly requestKey: string | null;
  /** `performance.now()` at the first progress event, and the number of finished rows then. */
  readonly since: { readonly at: number; readonly done: number } | null;
  readonly rowsPerSecond: number | null;
}

export interface Outcome {
  readonly status: 'completed' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Rows without a document; exact, even if the list of problems is not. */
  readonly failed: number;
  /** Documents with skipped fields; exact. */
  readonly partial: number;
  readonly fileSizeBytes: number | null;
  readonly expiresAt: string | null;
  /** Null if they could not be loaded. */
  readonly problems: ListedProblems | null;
}

/** The window that is open: the run itself, its options, or the list of earlier runs. */
export type RunWindow = 'run' | 'options' | 'history';

interface RunState {
  readonly stage: RunStage;
  readonly subject: RunSubject | null;
  readonly window: RunWindow | null;
  /** Whether the result has been on the screen. */
  readonly seen: boolean;
}

export const useRun = create<RunState>(() => ({
  stage: { at: 'idle' },
  subject: null,
  window: null,
  seen: false,
}));
export const showStage = (stage: RunStage): void =>
  useRun.setState(({ window }) => ({ stage, seen: stage.at === 'settled' && window === 'run' }));
export const showWindow = (window: RunWindow | null): void =>
  useRun.setState(({ stage, seen }) => ({
    window,
    seen: seen || (window === 'run' && stage.at === 'settled'),
  }));

/** Starts a run, which replaces the previous one. Returns a function that returns whether it is still the latest. */
export function beginRun(subject: RunSubject): () => boolean {
  useRun.setState({ subject });
  return () => useRun.getState().subject === subject;
}

/** Ends a run that has not been sent. */
export const abandonRun = (): void => useRun.setState({ stage: { at: 'idle' }, subject: null, window: null });
