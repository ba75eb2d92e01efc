import { countRows, type RowRanges } from '../core/runs/row-ranges.ts';
import { readSheetChoice } from '../core/runs/sheet-choice.ts';
import { whenRowsTaken } from '../data/rows-intake.ts';
import { whenRestored } from '../drafts/draft-keeper.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { currentPlan } from '../preview/preview-store.ts';
import { useWork } from '../project/work-store.ts';
import { accountToUse, isSignedIn, useSession } from '../shell/session.ts';
import { checkRows } from './check-before-run.ts';
import { groupProblem, passwordProblem, type RunChoices, rangeOf, sheetOf } from './run-choices.ts';
import { beginRun, type RunOrder, showStage, showWindow, useRun } from './run-store.ts';
import { hasSameOptions, shownStage, subjectNow } from './run-subject.ts';
import { refusedStage, startRun } from './start-run.ts';

/** Why no run can start yet. */
export type Obstacle = 'sign-in' | 'rows' | 'fields' | 'options';

export function obstacleNow(): Obstacle | null {
  const { status, accounts, account } = useSession.getState();
  const { project, rows } = useEditor.getState();
  if (status !== 'in') return 'sign-in';
  if (project === null || rows === null) return 'rows';
  if (project.layout.overlays.length + project.layout.form_fields.length === 0) return 'fields';
  // An installation without an account gets one.
  const needsAccount = account === null && accounts.length > 0;
  return needsAccount || optionsProblem() !== null ? 'options' : null;
}

/** What is wrong with the chosen options. */
export function optionsProblem(): 'range' | 'webhook' | 'output' | null {
  const { range, webhook, groupBy } = useWork.getState().run;
  const rowCount = useEditor.getState().rows?.rowCount ?? 0;
  const isRange = groupBy.length === 0 && range !== null;
  if (isRange && (range.from < 1 || range.to > rowCount || range.from > range.to)) return 'range';
  if (webhook !== null && (webhook.url === '' || webhook.secret === '')) return 'webhook';
  return isOutputWrong() ? 'output' : null;
}

/** Whether the sheet, the password column or the group columns cannot be used. */
function isOutputWrong(): boolean {
  const choices = useWork.getState().run;
  const sheet = sheetOf(choices);
  const columns = useEditor.getState().project?.layout.columns ?? [];
  if (sheet !== null && readSheetChoice(sheet).problem !== null) return true;
  return passwordProblem(choices, columns) !== null || groupProblem(choices, columns) !== null;
}

/**
 * The Run button: shows the run of the current inputs if there is one, and starts a run otherwise. Only what has to be
 * decided is asked.
 */
export async function pressRun(): Promise<void> {
  // A click right after the project has opened must not find it without rows or without the session.
  await Promise.all([whenRestored(), whenRowsTaken(), isSignedIn()]);
  const { at } = shownStage();
  const { seen } = useRun.getState();
  const isUnderWay = at === 'checking' || at === 'found' || at === 'sending' || at === 'running';
  if (isUnderWay || (at === 'settled' && (!seen || isSameDone()))) return showWindow('run');
  showStage({ at: 'idle' });
  const obstacle = obstacleNow();
  if (obstacle !== null) return showWindow(obstacle === 'options' ? 'options' : 'run');
  await runRows(null);
}

/** Whether the shown result is of a completed run with the current options. */
function isSameDone(): boolean {
  const stage = shownStage();
  return stage.at === 'settled' && stage.outcome.status === 'completed' && hasSameOptions();
}

/** Starts a run of these rows, or of the rows chosen in the options: checks them first. */
export async function runRows(only: RowRanges | null, retryOf: string | null = null): Promise<void> {
  // A file that was chosen before the click must not be left out, or replace the rows during the run.
  await whenRowsTaken();
  const { rows } = useEditor.getState();
  const { run: choices } = useWork.getState();
  const subject = subjectNow();
  if (rows === null || subject === null) return;
  // A retry starts without the options window.
  if (isOutputWrong()) return showWindow('options');
  const isLatest = beginRun(subject);
  showStage({ at: 'sending', label: 'Preparing' });
  showWindow('run');
  try {
    const account = await accountToUse();
    if (!isLatest()) return;
    if (account === null) return showWindow('options');
    const { from, to } = rangeOf(choices, rows.rowCount);
    const wanted: RowRanges = only ?? [[from, to]];
    const order: RunOrder = { account, choices, retryOf, ...(await documentsOf(wanted, choices)) };
    if (!isLatest()) return;
    showStage({ at: 'checking', order });
    const plan = currentPlan();
    const problems = plan === null ? [] : await engine.checkLayout(plan);
    if (!isLatest()) return;
    if (problems.length > 0) return showStage({ at: 'blocked', problems });
    const found = await checkRows(subject.layout, order);
    if (!isLatest()) return;
    if (found !== null) return showStage({ at: 'found', order, found });
    await startRun(order);
  } catch (error) {
    if (isLatest()) showStage(refusedStage(error));
  }
}

/** The documents of these rows. A retry of a row repeats its whole group, as it is now. */
async function documentsOf(
  rows: RowRanges,
  { groupBy }: RunChoices,
): Promise<Pick<RunOrder, 'rows' | 'documents'>> {
  if (groupBy.length === 0) return { rows, documents: countRows(rows) };
  const found = await engine.groupsOf(groupBy, rows);
  if (!found.ok) throw new Error(found.message);
  return { rows: found.rows, documents: found.count };
}
