import { create } from 'zustand';
import type { UsedColumn } from '#lib/rows/bind-columns.ts';
import {
  arrangeColumns,
  type ColumnOrder,
  decideColumns,
  differingColumns,
  usedColumns,
} from '../core/columns/column-order.ts';
import { useEditor, whenRowsReturn } from '../editor/editor-store.ts';
import { engine, type SeenRows } from '../engine/engine-client.ts';
import type { EncodingEvidence } from '../engine/rows/encoding-evidence.ts';
import type { RowsFile, RowsReading, RowsState } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { tell, tellError } from '../ui/messages.tsx';
import { columnUsage } from './column-usage.ts';
import { applyRows, bringBackRows, closeRows, keepRowsFile, rowsNow, showRows } from './open-rows-file.ts';

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
  | {
      readonly at: 'columns';
      readonly seen: SeenRows;
      readonly used: readonly UsedColumn[];
      /** Set if the file is in use and a person reviews its columns: the order that is in use, null for the file's own. */
      readonly inUse?: { readonly order: ColumnOrder | null };
    }
  | { readonly at: 'refused'; readonly message: string }
);

export const useIntake = create<{ intake: Intake | null; busy: boolean }>(() => ({
  intake: null,
  busy: false,
}));
const ask = (intake: Intake | null) => useIntake.setState({ intake });

/** Files that are being read, and the number of the one that was chosen last. */
let readings = 0;
let lastChosen = 0;
const countReadings = (change: 1 | -1) => {
  readings += change;
  useIntake.setState({ busy: readings > 0 });
};

/** Reads a chosen or dropped file, unless another one is chosen meanwhile. Without reading options, they are detected. */
export async function takeRows(chosen: RowsFile, reading: RowsReading, inDraft = false): Promise<void> {
  const isOtherProject = staleWith(useEditor.getState().project?.id);
  lastChosen += 1;
  const number = lastChosen;
  const isStale = () => isOtherProject() || number !== lastChosen;
  // A file that is pending in the draft stays there until another one replaces it.
  leaveQuestion();
  countReadings(1);
  try {
    const file = await keepRowsFile(chosen);
    const isInUse = useWork.getState().rowsFile?.file === file.file;
    const verdict = await judgeFile(file, reading, isInUse);
    if (isStale()) return;
    if ('use' in verdict) {
      ask(null);
      await applyJudged(file, verdict);
      return;
    }
    const waits = inDraft || (verdict.at !== 'refused' && useWork.getState().rowsFile === null);
    if (waits) useEditor.setState({ rowsReading: { ...reading, unbound: true } });
    ask({ file, reading, inDraft: waits, asking: true, ...verdict });
  } finally {
    countReadings(-1);
  }
}

/** Resolves when no chosen file is being read. */
export async function whenRowsTaken(): Promise<void> {
  if (!useIntake.getState().busy) return;
  await new Promise<void>((resolve) => {
    const stop = useIntake.subscribe(({ busy }) => {
      if (busy) return;
      stop();
      resolve();
    });
  });
}

/** Opens the rows of a draft: they are shown as they were left, or stay pending until the user answers. */
export async function restoreRows(file: RowsFile, reading: RowsReading, row: number): Promise<void> {
  const isStale = staleWith(useEditor.getState().project?.id);
  const verdict = await judgeFile(file, reading, reading.unbound !== true);
  if (isStale()) return;
  if (!('use' in verdict)) ask({ file, reading, inDraft: true, asking: true, ...verdict });
  else if (verdict.moved > 0) await applyJudged(file, verdict);
  else await showRows(file, verdict.use, row);
}

/** Undo and redo restore the rows together with the layout. They are checked like any other file. */
whenRowsReturn((state, isSameRow) => void returnRows(state, isSameRow).catch(tellError));

async function returnRows(state: RowsState, isSameRow: boolean): Promise<void> {
  const { file, reading } = state;
  const isStale = staleWith(useEditor.getState().project?.id);
  if (useEditor.getState().project === null) return;
  // Only corrections differ: the file and its columns are in use already.
  if (isSameRow) return bringBackRows(state, true);
  forgetIntake();
  useWork.setState({ rowsFile: file });
  const verdict = file === null ? null : await judgeFile(file, reading, true);
  if (isStale() || useEditor.getState().rowsReading !== reading) return;
  if (file === null || verdict === null || 'use' in verdict) return bringBackRows(state, false);
  await closeRows();
  ask({ file, reading, inDraft: true, asking: true, ...verdict });
}

/** Uses a file that needs no answer. Columns that were moved by name are reported with a way back and a way to check them. */
async function applyJudged(
  file: RowsFile,
  { use, moved }: Extract<Verdict, { use: unknown }>,
): Promise<void> {
  const before = rowsNow();
  await applyRows(file, use);
  if (moved === 0) return;
  const applied = useEditor.getState().history.past.at(-1);
  const goBack = () => {
    const { history, undo } = useEditor.getState();
    if (history.past.at(-1) === applied) undo();
    else if (before.file === null) removeRows().catch(tellError);
    else takeRows(before.file, before.reading).catch(tellError);
  };
  tell('good', `${moved === 1 ? '1 column' : `${moved} columns`} moved; matched by name`, {
    undo: goBack,
    action: { label: 'Review', run: () => void reviewColumns().catch(tellError) },
  });
}

/** Whether another project has been opened in the meantime. */
const staleWith = (id: string | undefined) => () => useEditor.getState().project?.id !== id;

type Question =
  | { readonly at: 'encoding'; readonly evidence: EncodingEvidence }
  | { readonly at: 'columns'; readonly seen: SeenRows; readonly used: readonly UsedColumn[] }
  | { readonly at: 'refused'; readonly message: string };

/** The file can be used, read in this way and with so many used columns moved; or a question must be answered first. */
type Verdict = { readonly use: RowsReading; readonly moved: number } | Question;

/**
 * Decides how a file may be used. `isOwn`: the project's columns were named by this file, so equal names at equal positions are
 * enough, even if a name occurs twice.
 */
async function judgeFile({ file, fileName }: RowsFile, given: RowsReading, isOwn: boolean): Promise<Verdict> {
  const reading = bindable(given);
  const seen = await engine.seeRows(file, fileName, reading);
  if (!seen.ok) {
    const { encoding, message } = seen;
    return encoding === undefined ? { at: 'refused', message } : { at: 'encoding', evidence: encoding };
  }
  const used = usedNow();
  const { header } = seen.rows;
  const asIs = { use: reading, moved: 0 };
  if ((reading.columns ?? null) !== null || header === null) return asIs;
  if (isOwn && differingColumns(used, header).length === 0) return asIs;
  const decision = decideColumns(used, header);
  if (decision.is === 'as-is') return asIs;
  if (decision.is === 'open') return { at: 'columns', seen, used };
  const columns = arrangeColumns(columnsNow(), decision.choices, header);
  return { use: { ...reading, columns }, moved: decision.moved.length };
}

/** The same object if nothing changes: a draft that was only opened must not be written. */
function bindable(reading: RowsReading): RowsReading {
  if (reading.unbound !== true) return reading;
  const { unbound: _, ...how } = reading;
  return how;
}

/** Opens the table of columns for the file that is in use. */
export async function reviewColumns(): Promise<void> {
  const { rowsReading } = useEditor.getState();
  const { rowsFile } = useWork.getState();
  if (rowsFile === null) return;
  const isStale = staleWith(useEditor.getState().project?.id);
  const { columns: order = null, ...reading } = rowsReading;
  const seen = await engine.seeRows(rowsFile.file, rowsFile.fileName, { ...reading, columns: null });
  if (isStale() || useWork.getState().rowsFile !== rowsFile || !seen.ok) return;
  const used = usedNow();
  ask({ file: rowsFile, reading, inDraft: false, asking: true, at: 'columns', seen, used, inUse: { order } });
}

const columnsNow = () => useEditor.getState().project?.layout.columns ?? [];

/** The columns that fields, conditions, file names, passwords or groups use. */
function usedNow(): UsedColumn[] {
  const { project } = useEditor.getState();
  if (project === null) return [];
  const { readers } = columnUsage(project.layout, 0);
  const { filenameColumns, passwordColumn, groupBy } = useWork.getState().run;
  const passwords = passwordColumn === null ? [] : [passwordColumn];
  return usedColumns(project.layout.columns, [
    ...readers.keys(),
    ...filenameColumns,
    ...passwords,
    ...groupBy,
  ]);
}

export async function chooseEncoding(intake: Intake, encoding: string): Promise<void> {
  await takeRows(intake.file, { ...intake.reading, encoding }, intake.inDraft);
}

export async function confirmColumns(intake: Intake, columns: ColumnOrder | null): Promise<void> {
  askAgain(false);
  await applyRows(intake.file, { ...bindable(intake.reading), columns });
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

export async function removeRows(): Promise<void> {
  const { project, rowsReading } = useEditor.getState();
  const { rowsFile } = useWork.getState();
  await closeRows();
  if (rowsFile === null) return;
  const undo = () => {
    if (useEditor.getState().project?.id !== project?.id) return;
    restoreRemoved(rowsFile, rowsReading).catch(tellError);
  };
  tell('good', `${rowsFile.fileName} removed from the project`, { undo });
}

/** The layout may have changed since the rows were removed. */
async function restoreRemoved(file: RowsFile, reading: RowsReading): Promise<void> {
  const verdict = await judgeFile(file, reading, true);
  if ('use' in verdict) await applyJudged(file, verdict);
  else ask({ file, reading, inDraft: true, asking: true, ...verdict });
}

/** The file that belongs to the draft: the one in use, or the pending one that was opened with the project. */
export function draftRows(): RowsFile | null {
  const { intake } = useIntake.getState();
  return useWork.getState().rowsFile ?? (intake?.inDraft === true ? intake.file : null);
}
