import { fileRowOf, type RowRanges, rangesOf } from '../core/runs/row-ranges.ts';
import type { RunRecord } from '../core/runs/run-record.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { downloadBlob } from '../files/download-blob.ts';
import { fileDigest } from '../files/file-digest.ts';
import { openProblem } from '../preview/open-problem.ts';
import { useWork } from '../project/work-store.ts';
import { fileStem } from '../saving/file-stem.ts';
import { tell } from '../ui/messages.tsx';
import { runRows } from './press-run.ts';
import { type CellsOf, inputRow, problemReport } from './problem-report.ts';
import { type JobAddress, loadAllProblems, type ProblemRow } from './problem-rows.ts';
import { showWindow } from './run-store.ts';

/** A settled run: its job and the rows that it has. */
export interface SettledRun extends JobAddress {
  readonly rows: RowRanges;
}

/**
 * Runs the failed rows again, or those with skipped fields, with the current layout and data. Their numbers are those of the
 * file, so the file must have as many rows as before.
 */
export async function retryRows(
  run: SettledRun,
  status: 'failed' | 'partial',
  expected: number,
): Promise<void> {
  const problems = await loadAllProblems(run, status);
  const rows = rangesOf(problems.map((problem) => fileRowOf(run.rows, inputRow(problem))));
  const listed = new Set(problems.map(({ row_number }) => row_number)).size;
  if (listed === 0)
    throw new Error('The server no longer lists the failed rows of this run. Run all rows instead.');
  if (listed < expected)
    tell(
      'good',
      `The server lists ${listed.toLocaleString()} of ${expected.toLocaleString()} rows; only these run again.`,
    );
  await runRows(rows, run.id);
}

/** Whether row numbers of the run can be those of the current file. */
export function fitsFile(run: RunRecord | undefined): boolean {
  const { rows } = useEditor.getState();
  return rows !== null && (run === undefined || run.file.rowCount === rows.rowCount);
}

/** Opens a row of the file in the preview, at the field with the problem. */
export async function openProblemOf(run: SettledRun, problem: ProblemRow): Promise<void> {
  await openProblem(fileRowOf(run.rows, inputRow(problem)), problem.overlay_id);
  showWindow(null);
}

/** Opens the first failed row of a run, or its first row with another problem. */
export async function openFailingRows(run: SettledRun): Promise<void> {
  const [first] = [...(await loadAllProblems(run, 'failed')), ...(await loadAllProblems(run))];
  if (first === undefined) tell('good', 'This run has no problem rows');
  else await openProblemOf(run, first);
}

/** Downloads the problems of a run as CSV. Values are included if the rows of the run are still open. */
export async function downloadReport(run: SettledRun, record: RunRecord | undefined): Promise<void> {
  const { project } = useEditor.getState();
  if (project === null) return;
  const problems = await loadAllProblems(run);
  const isSame = record === undefined || (await isOpenFile(record));
  const cellsOf = isSame ? await readCells(problems, run.rows) : () => undefined;
  const csv = problemReport(problems, run.rows, project.layout, cellsOf);
  const date = new Date(record?.startedAt ?? Date.now()).toISOString().slice(0, 10);
  downloadBlob(new Blob([csv], { type: 'text/csv' }), `${fileStem(project.name)}-problems-${date}.csv`);
  if (!isSame) tell('good', 'The report has no values, because another rows file is open now.');
}

async function isOpenFile({ file }: RunRecord): Promise<boolean> {
  const open = useWork.getState().rowsFile?.file;
  return open !== undefined && (await fileDigest(open)) === file.sha256;
}

async function readCells(problems: readonly ProblemRow[], rows: RowRanges): Promise<CellsOf> {
  const numbers = [...new Set(problems.map((problem) => fileRowOf(rows, inputRow(problem))))];
  const cells = await engine.pickRows(numbers);
  const found = new Map(numbers.map((row, index) => [row, cells[index]]));
  return (row) => found.get(row);
}
