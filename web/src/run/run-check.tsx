import { goToOverlay } from '../canvas/commands/go-to-overlay.ts';
import { rangesOf, rangesWords } from '../core/runs/row-ranges.ts';
import { useEditor } from '../editor/editor-store.ts';
import { sentence } from '../preview/code-words.ts';
import { openFixRows } from '../preview/preview-store.ts';
import { chooseRun } from '../project/work-store.ts';
import { Banner, ProgressBar } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tellError } from '../ui/messages.tsx';
import { acceptUnfilled, type FoundProblems, stopCheck, useCheckProgress } from './check-before-run.ts';
import { failureWords, SKIP_FAILED, unitOf } from './run-choices.ts';
import styles from './run-dialog.module.css';
import { abandonRun, type RunOrder, showWindow } from './run-store.ts';
import { startRun } from './start-run.ts';
import { UnfilledNotice } from './unfilled-notice.tsx';

const start = (order: RunOrder) => void startRun(order).catch(tellError);

/** The check of all rows before they are sent. Closing it ends the run. */
export function RunCheck({ order }: { order: RunOrder }) {
  const progress = useCheckProgress();
  const close = () => {
    abandonRun();
    stopCheck();
  };
  const skip = () => {
    start(order);
    stopCheck();
  };
  return (
    <Dialog
      key="checking"
      title="Checking all rows"
      onClose={close}
      actions={<Button onClick={skip}>Run without checking</Button>}
    >
      <ProgressBar label="Rows checked" value={progress?.done ?? 0} max={progress?.total ?? 1} />
      <div className={styles.pairs}>
        {progress !== null && progress.total > 1
          ? `${progress.done.toLocaleString()} of ${progress.total.toLocaleString()} rows`
          : 'Preparing the check'}
      </div>
      <p className={styles.hint}>Nothing has been sent yet.</p>
    </Dialog>
  );
}

/** What the check found, and the choice to fix it or to run anyway. */
export function RunFindings({ order, found }: { order: RunOrder; found: FoundProblems }) {
  const { total, documents, rows, unchecked, unfilled, ungrouped } = found;
  const stops = found.failing * 100 > order.choices.maxFailedRowPercent * documents;
  const runAnyway = () => {
    const { project } = useEditor.getState();
    if (project !== null && (unfilled !== null || ungrouped)) acceptUnfilled(project.layout);
    if (!stops) return start(order);
    chooseRun({ maxFailedRowPercent: SKIP_FAILED });
    start({ ...order, choices: { ...order.choices, maxFailedRowPercent: SKIP_FAILED } });
  };
  return (
    <Dialog
      key="found"
      title={unchecked === null ? 'Before the run' : 'Rows not checked'}
      onClose={abandonRun}
      actions={
        <>
          <Button onClick={runAnyway}>
            {stops ? `Skip failed ${unitOf(order.choices)}s and run` : 'Run anyway'}
          </Button>
          <Fix found={found} />
        </>
      }
    >
      {unfilled !== null && <UnfilledNotice unfilled={unfilled} total={total} />}
      {ungrouped && (
        <Banner tone="warn" title="The table shows one row in each document">
          No column says which rows belong together, so every row is a document. Choose the column whose equal
          values make rows one document.
        </Banner>
      )}
      {rows.length > 0 && <RowProblems order={order} found={found} />}
      {unchecked !== null && (
        <>
          <Banner tone="warn" title="The rows could not be checked">
            {unchecked}
          </Banner>
          <p>The server checks each row again when it fills it.</p>
        </>
      )}
      <p className={styles.hint}>Nothing has been sent yet.</p>
    </Dialog>
  );
}

/** Leads to what has to be fixed: the groups, the rows, or else the first field without a value. */
function Fix({ found: { rows, unfilled, ungrouped } }: { found: FoundProblems }) {
  const fixRows = () => {
    abandonRun();
    openFixRows();
  };
  const chooseColumns = () => {
    abandonRun();
    useEditor.getState().showPanel('fields');
    const [first] = unfilled?.ids ?? [];
    if (first !== undefined) goToOverlay(first);
  };
  const chooseGroups = () => {
    abandonRun();
    showWindow('options');
  };
  if (ungrouped)
    return (
      <Button look="primary" onClick={chooseGroups}>
        Choose a group column
      </Button>
    );
  if (rows.length > 0)
    return (
      <Button look="primary" onClick={fixRows}>
        Fix rows
      </Button>
    );
  if (unfilled === null) return null;
  return (
    <Button look="primary" onClick={chooseColumns}>
      Choose columns
    </Button>
  );
}

function RowProblems({
  order,
  found: { total, documents, rows, failing },
}: {
  order: RunOrder;
  found: FoundProblems;
}) {
  const { maxFailedRowPercent } = order.choices;
  const skips = maxFailedRowPercent >= SKIP_FAILED;
  const stops = failing * 100 > maxFailedRowPercent * documents;
  const unit = unitOf(order.choices);
  return (
    <>
      <Banner
        tone={failing > 0 ? 'bad' : 'warn'}
        title={`${rows.length.toLocaleString()} of ${total.toLocaleString()} ${total === 1 ? 'row has' : 'rows have'} problems`}
      >
        {sentence(rangesWords(rangesOf(rows)))}.
      </Banner>
      {failing === 0 && <p>Each of them gets a document, but text may be cut or a field left out.</p>}
      {failing > 0 && (
        <p>
          {failing.toLocaleString()} {failing === 1 ? unit : `${unit}s`} would fail and have no document.{' '}
          {skips
            ? 'The run skips them; you can retry them later.'
            : stops
              ? `The run is set to “${failureWords(maxFailedRowPercent, unit)}” and would deliver nothing.`
              : ''}
        </p>
      )}
    </>
  );
}
