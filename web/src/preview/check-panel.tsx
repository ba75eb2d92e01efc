import { ListChecks, Table2 } from 'lucide-react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { selectField } from '../canvas/commands/select-field.ts';
import type { CheckReport } from '../core/check/check-report.ts';
import { fieldName } from '../core/overlays/field-name.ts';
import { patchedCells } from '../core/rows/cell-patches.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { Badge, Banner, ProgressBar } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { codeWords } from './code-words.ts';
import { openProblem } from './open-problem.ts';
import styles from './preview-screen.module.css';
import { checkAllRows, openFixRows, stopCheck, useCurrentCheck, usePreview } from './preview-store.ts';

/** Checks all rows in the worker before a job is sent. */
export function CheckPanel() {
  const rows = useEditor((editor) => editor.rows);
  const layout = useEditor((editor) => editor.project?.layout);
  const progress = usePreview((preview) => preview.progress);
  const { report, refused } = useCurrentCheck();
  if (rows === null || layout === undefined) return null;
  return (
    <section className={styles.part} aria-labelledby="check-all">
      <h2 id="check-all">All rows</h2>
      {/* The button stays during a check, because it has the focus. */}
      <Button
        icon={<ListChecks size={16} />}
        resting={progress !== null}
        onClick={() => void checkAllRows().catch(tellError)}
      >
        Check all {rows.rowCount.toLocaleString()} rows
      </Button>
      {progress !== null && (
        <>
          <ProgressBar label="Rows checked" value={progress.done} max={progress.total} />
          <div className={styles.partHead}>
            <span className={styles.hint}>
              {progress.done.toLocaleString()} of {progress.total.toLocaleString()}
            </span>
            <Button onClick={stopCheck}>Stop</Button>
          </div>
        </>
      )}
      {report === null && progress === null && refused === null && (
        <p className={styles.hint}>
          Finds text that does not fit, characters no font has, and codes that cannot be drawn, before
          anything is sent.
        </p>
      )}
      {refused !== null && (
        <Banner tone="bad" title="The check stopped">
          {refused}
        </Banner>
      )}
      {report !== null && <Report report={report} total={rows.rowCount} layout={layout} />}
    </section>
  );
}

function Report({ report, total, layout }: { report: CheckReport; total: number; layout: Layout }) {
  const partly = report.rows < total;
  const checked = `${report.rows.toLocaleString()} ${partly ? `of ${total.toLocaleString()} ` : ''}rows checked`;
  if (report.problemRows.length === 0)
    return (
      <>
        <Banner tone={partly ? 'neutral' : 'good'} title={partly ? 'Stopped' : 'All good'}>
          {checked}, no problems.
        </Banner>
        <Corrections />
      </>
    );
  return (
    <>
      <Verdicts report={report} checked={checked} />
      <Button look="primary" icon={<Table2 size={16} />} onClick={openFixRows}>
        Fix {report.problemRows.length === 1 ? '1 row' : `${report.problemRows.length.toLocaleString()} rows`}
      </Button>
      <table className={styles.summary}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Problem</th>
            <th scope="col">Rows</th>
          </tr>
        </thead>
        <tbody>
          {report.counts.map(({ id, code, rows, firstRow, fontPackages }) => (
            <tr key={`${id} ${code}`}>
              <td>
                {id === null ? (
                  'whole row'
                ) : (
                  <button type="button" className={styles.link} onClick={() => selectField(id)}>
                    {fieldName(layout, id)}
                  </button>
                )}
              </td>
              <td>
                {codeWords(code)}
                {fontPackages.length > 0 && (
                  <span className={styles.hint}> Install {fontPackages.join(', ')} on the server.</span>
                )}
              </td>
              <td>
                <button
                  type="button"
                  className={styles.link}
                  aria-label={`${rows} rows, show the first, row ${firstRow}`}
                  onClick={() => void openProblem(firstRow, id).catch(tellError)}
                >
                  {rows.toLocaleString()}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Leads to the corrected rows when no row has problems any more. */
function Corrections() {
  const patches = useEditor((editor) => editor.rowsReading.patches);
  const rows = new Set(patchedCells(patches).map(({ row }) => row)).size;
  if (rows === 0) return null;
  return (
    <Button icon={<Table2 size={16} />} onClick={openFixRows}>
      Show {rows === 1 ? '1 corrected row' : `${rows.toLocaleString()} corrected rows`}
    </Button>
  );
}

/** How many rows are fine, differ from the data, or lack something. */
function Verdicts({ report, checked }: { report: CheckReport; checked: string }) {
  const isGrouped = useWork((work) => work.run.groupBy.length > 0);
  const { notedRows, brokenRows, failedRows } = report;
  const fine = report.rows - notedRows - brokenRows;
  const withProblems = `${brokenRows.toLocaleString()} with problems`;
  return (
    <>
      <Banner
        tone={brokenRows > 0 ? 'bad' : 'warn'}
        title={`${report.problemRows.length.toLocaleString()} rows need attention`}
      >
        {checked}
        {failedRows > 0 &&
          `, ${failedRows.toLocaleString()} ${isGrouped ? (failedRows === 1 ? 'document ' : 'documents ') : ''}would fail`}
        .
      </Banner>
      <div className={styles.verdicts}>
        <Badge tone="good">{fine.toLocaleString()} fine</Badge>
        {notedRows > 0 && <Badge tone="warn">{notedRows.toLocaleString()} with notes</Badge>}
        {brokenRows > 0 && <Badge tone="bad">{withProblems}</Badge>}
      </div>
    </>
  );
}
