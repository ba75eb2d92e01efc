import { ArrowLeft, CircleCheck } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { patchedCells } from '../../core/rows/cell-patches.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { Banner, EmptyState, ProgressBar } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tellError } from '../../ui/messages.tsx';
import { checkAllRows, closeFixRows, useCurrentCheck, usePreview } from '../preview-store.ts';
import { CellDetails } from './cell-details.tsx';
import { Downloads } from './downloads.tsx';
import { Filters } from './filters.tsx';
import styles from './fix-rows.module.css';
import { forgetPlace, moveTo, useFix } from './fix-store.ts';
import { ProblemSheet } from './problem-sheet.tsx';
import { filteredRows, fixProgress, nextProblem, sheetColumns, sheetRows } from './sheet-rows.ts';
import { useProblemKeys } from './use-problem-keys.tsx';
import { useShownProblem } from './use-shown-problem.ts';

/** The rows with problems as a sheet: correct a cell, see the page beside it, go to the next problem. */
export function FixRows() {
  const layout = useEditor((editor) => editor.project?.layout);
  const rows = useEditor((editor) => editor.rows);
  const patches = useEditor((editor) => editor.rowsReading.patches);
  const filter = useFix((fix) => fix.filter);
  const checkedPatches = usePreview((preview) => preview.checked?.basis.reading.patches);
  const former = usePreview((preview) => preview.former);
  const progress = usePreview((preview) => preview.progress);
  const { report, refused } = useCurrentCheck();
  useEffect(() => forgetPlace, []);
  useEffect(() => {
    // A change that affects all rows ends the report; the sheet needs a new one.
    if (report === null && progress === null && refused === null) checkAllRows().catch(tellError);
  }, [report, progress, refused]);
  const all = useMemo(() => {
    // A row whose correction was just undone stays in the sheet until it is checked again.
    const corrected = [...patchedCells(patches), ...patchedCells(checkedPatches)];
    return report === null ? [] : sheetRows(report, corrected, former);
  }, [report, patches, checkedPatches, former]);
  const columns = useMemo(
    () => (layout === undefined ? [] : sheetColumns(layout, all, rows?.columnCount ?? 0)),
    [layout, all, rows?.columnCount],
  );
  const listed = useMemo(
    () => (layout === undefined ? [] : filteredRows(layout, all, filter)),
    [layout, all, filter],
  );
  useEffect(() => {
    // Starts at the first problem.
    if (layout === undefined || useFix.getState().active !== null) return;
    const first = nextProblem(layout, listed, columns, null, 1);
    if (first !== null) moveTo(first);
  }, [layout, listed, columns]);
  const steps = useProblemKeys(listed, columns);
  useShownProblem(listed);
  if (layout === undefined || rows === null) return null;
  const done = report === null ? null : fixProgress(all, report);
  const isDone = done !== null && done.total > 0 && done.fixed === done.total;
  const unlisted = report === null ? 0 : report.problemRows.length - report.listed.length;
  return (
    <section className={styles.fix} aria-label="Fix rows">
      <div className={styles.bar}>
        <Button look="quiet" icon={<ArrowLeft size={16} />} onClick={closeFixRows}>
          Back to the preview
        </Button>
        {done !== null && (
          <div className={styles.progress}>
            <strong role="status">
              {done.fixed.toLocaleString()} of {done.total.toLocaleString()} fixed
            </strong>
            <ProgressBar label="Fixed rows" value={done.fixed} max={done.total} />
          </div>
        )}
        <Filters layout={layout} rows={all} columns={columns} />
        {steps}
      </div>
      {refused !== null && (
        <Banner tone="bad" title="The check stopped">
          {refused}
        </Banner>
      )}
      {report === null && refused === null && (
        <div className={styles.checking}>
          <ProgressBar label="Rows checked" value={progress?.done ?? 0} max={progress?.total ?? 1} />
          <p>Checking all rows…</p>
        </div>
      )}
      {isDone && (
        <div className={styles.done} role="status">
          <CircleCheck size={18} aria-hidden />
          <span>
            All rows are fine. The corrections are part of this project, and a run uses them. {rows.fileName}{' '}
            is unchanged.
          </span>
        </div>
      )}
      {unlisted > 0 && (
        <Banner tone="neutral">
          {unlisted.toLocaleString()} more rows have problems. Fix these first, then check all rows again.
        </Banner>
      )}
      {report !== null && all.length === 0 && (
        <EmptyState
          title="No rows need attention"
          action={<Button onClick={closeFixRows}>Back to the preview</Button>}
        >
          All checked rows are fine.
        </EmptyState>
      )}
      {all.length > 0 && listed.length === 0 && (
        <EmptyState
          title="No rows match these filters"
          action={
            <Button onClick={() => useFix.setState({ filter: { code: null, column: null } })}>
              Clear filters
            </Button>
          }
        />
      )}
      {listed.length > 0 && (
        <>
          <ProblemSheet layout={layout} rows={listed} columns={columns} />
          <CellDetails layout={layout} rows={listed} />
        </>
      )}
      {report !== null && <Downloads layout={layout} report={report} fileName={rows.fileName} />}
    </section>
  );
}
