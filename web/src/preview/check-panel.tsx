import { ListChecks } from 'lucide-react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { selectField } from '../canvas/commands/select-field.ts';
import { fieldName } from '../core/overlays/field-name.ts';
import { showRow } from '../data/show-row.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { PreflightReport } from '../engine/engine-client.ts';
import { Banner, ProgressBar } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { codeWords } from './code-words.ts';
import styles from './preview-screen.module.css';
import { checkAllRows, stopCheck, usePreview } from './preview-store.ts';

/** Checks all rows in the worker before a job is sent. */
export function CheckPanel() {
  const rows = useEditor((editor) => editor.rows);
  const layout = useEditor((editor) => editor.project?.layout);
  const { report, progress, refused } = usePreview();
  if (rows === null || layout === undefined) return null;
  return (
    <section className={styles.part} aria-labelledby="check-all">
      <h2 id="check-all">All rows</h2>
      {progress === null ? (
        <Button icon={<ListChecks size={16} />} onClick={() => void checkAllRows().catch(tellError)}>
          Check all {rows.rowCount.toLocaleString()} rows
        </Button>
      ) : (
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

function Report({ report, total, layout }: { report: PreflightReport; total: number; layout: Layout }) {
  const partly = report.rows < total;
  const checked = `${report.rows.toLocaleString()} ${partly ? `of ${total.toLocaleString()} ` : ''}rows checked`;
  if (report.problemRows.length === 0)
    return (
      <Banner tone={partly ? 'neutral' : 'good'} title={partly ? 'Stopped' : 'All good'}>
        {checked}, no problems.
      </Banner>
    );
  return (
    <>
      <Banner
        tone={report.failedRows > 0 ? 'bad' : 'warn'}
        title={`${report.problemRows.length.toLocaleString()} rows have problems`}
      >
        {checked}
        {report.failedRows > 0 && `, ${report.failedRows.toLocaleString()} would fail`}.
      </Banner>
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
                  onClick={() => void showRow(firstRow).catch(tellError)}
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
