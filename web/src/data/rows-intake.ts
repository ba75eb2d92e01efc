import { create } from 'zustand';
import {
  type ColumnOrder,
  differingColumns,
  type UsedColumn,
  usedColumns,
} from '../core/columns/column-order.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine, type SeenRows } from '../engine/engine-client.ts';
import type { EncodingEvidence } from '../engine/rows/encoding-evidence.ts';
import type { RowsFile, RowsReading } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { columnUsage } from './column-usage.ts';
import { applyRows, keepRowsFile, showRows } from './open-rows-file.ts';

/**
 * Brings a rows file into the project. A file with an open question (encoding or columns) is not used until the user
 * answers it; until then the preview and a run use the previous rows, or none.
 */
export type Intake = {
  readonly file: RowsFile;
  readonly reading: RowsReading;
  /** The file belongs to the draft: it was dropped with the PDF, or it replaces no rows. If the dialog is cancelled, it stays pending. */
  readonly inDraft: boolean;
  /** Whether the question is on the screen. */
  readonly asking: boolean;
} & (
  | { readonly at: 'encoding'; readonly evidence: EncodingEvidence }
  | { readonly at: 'columns'; readonly seen: SeenRows; readonly used: readonly UsedColumn[] }
  | { readonly at: 'refused'; readonly message: string }
);

export const useIntake = create<{ intake: Intake | null; busy: boolean }>(() => ({
  intake: null,
  busy: false,
}));
const ask = (intake: Intake | null) => useIntake.setState({ intake });

/** Reads a chosen or dropped file. Without reading options, they are detected. */
export async function takeRows(chosen: RowsFile, reading: RowsReading, inDraft = false): Promise<void> {
  const isStale = staleWith(useEditor.getState().project?.id);
  // A file that is pending in the draft stays there until another one replaces it.
  leaveQuestion();
  useIntake.setState({ busy: true });
  try {
    const file = await keepRowsFile(chosen);
    const question = await questionAbout(file, reading);
    if (isStale()) return;
    if (question === null) {
      await applyRows(file, reading);
      ask(null);
    } else {
      const waits = inDraft || (question.at !== 'refused' && useWork.getState().rowsFile === null);
      ask({ file, reading, inDraft: waits, asking: true, ...question });
    }
  } finally {
    useIntake.setState({ busy: false });
  }
}

/** Opens the rows of a draft: they are shown as they were left, or stay pending until the user answers. */
export async function restoreRows(file: RowsFile, reading: RowsReading, row: number): Promise<void> {
  const isStale = staleWith(useEditor.getState().project?.id);
  const question = await questionAbout(file, reading);
  if (isStale()) return;
  if (question === null) await showRows(file, reading, row);
  else ask({ file, reading, inDraft: true, asking: true, ...question });
}

/** Whether another project has been opened in the meantime. */
const staleWith = (id: string | undefined) => () => useEditor.getState().project?.id !== id;

type Question = { at: Intake['at'] } & (
  | { at: 'encoding'; evidence: EncodingEvidence }
  | { at: 'columns'; seen: SeenRows; used: readonly UsedColumn[] }
  | { at: 'refused'; message: string }
);

async function questionAbout({ file, fileName }: RowsFile, reading: RowsReading): Promise<Question | null> {
  const seen = await engine.seeRows(file, fileName, reading);
  if (!seen.ok) {
    const { encoding, message } = seen;
    return encoding === undefined ? { at: 'refused', message } : { at: 'encoding', evidence: encoding };
  }
  const used = usedNow();
  const differs = differingColumns(used, seen.rows.header ?? []).length > 0;
  const isOpen = (reading.columns ?? null) === null && seen.rows.header !== null && differs;
  return isOpen ? { at: 'columns', seen, used } : null;
}

/** The columns that fields, conditions or file names use. */
function usedNow(): UsedColumn[] {
  const { project } = useEditor.getState();
  if (project === null) return [];
  const { readers } = columnUsage(project.layout, 0);
  return usedColumns(project.layout.columns, [...readers.keys(), ...useWork.getState().run.filenameColumns]);
}

export async function chooseEncoding(intake: Intake, encoding: string): Promise<void> {
  await takeRows(intake.file, { ...intake.reading, encoding }, intake.inDraft);
}

export async function confirmColumns(intake: Intake, columns: ColumnOrder | null): Promise<void> {
  askAgain(false);
  await applyRows(intake.file, { ...intake.reading, columns });
  ask(null);
}

/** Does not use the file. A file of the draft stays pending; any other one is discarded. */
export function leaveQuestion(): void {
  useIntake.setState(({ intake }) => ({
    intake: intake?.inDraft === true ? { ...intake, asking: false } : null,
  }));
}

export function askAgain(asking = true): void {
  useIntake.setState(({ intake }) => ({ intake: intake && { ...intake, asking } }));
}

export const forgetIntake = (): void => ask(null);

/** The file that belongs to the draft: the one in use, or the pending one that was opened with the project. */
export function draftRows(): RowsFile | null {
  const { intake } = useIntake.getState();
  return useWork.getState().rowsFile ?? (intake?.inDraft === true ? intake.file : null);
}
