import { fieldName } from '../core/overlays/field-name.ts';
import { fileRowOf } from '../core/runs/row-ranges.ts';
import type { RunRecord } from '../core/runs/run-record.ts';
import { useEditor } from '../editor/editor-store.ts';
import { codeWords } from '../preview/code-words.ts';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { fitsFile, openProblemOf } from './after-run.ts';
import { inputRow, messageWords } from './problem-report.ts';
import type { ListedProblems } from './problem-rows.ts';
import styles from './run-dialog.module.css';
import type { RunningJob } from './run-store.ts';

/** Rows of the table; the report has them all. */
const SHOWN = 100;

/** The problems of a run, by the row of the file. Each opens its row at its field. */
export function ProblemTable({
  run,
  record,
  problems,
}: {
  run: RunningJob;
  record: RunRecord | undefined;
  problems: ListedProblems;
}) {
  const layout = useEditor((editor) => editor.project?.layout);
  const canOpen = fitsFile(record);
  return (
    <div className={styles.problems}>
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Field</th>
            <th scope="col">Problem</th>
            <th scope="col">
              <span className="visually-hidden">Open</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {problems.rows.slice(0, SHOWN).map((problem) => {
            const row = fileRowOf(run.rows, inputRow(problem));
            const { code, overlay_id, field, column_label } = problem;
            const name =
              overlay_id === null || layout === undefined ? (field ?? '') : fieldName(layout, overlay_id);
            return (
              <tr key={`${row} ${code} ${overlay_id} ${problem.message}`}>
                <td>{row.toLocaleString()}</td>
                <td>
                  {name}
                  {column_label && <span className={styles.hint}> {column_label}</span>}
                </td>
                <td>
                  {codeWords(code)}
                  <span className={styles.hint}> {messageWords(problem)}</span>
                </td>
                <td>
                  {canOpen && (
                    <Button
                      look="quiet"
                      aria-label={`Open row ${row}`}
                      onClick={() => void openProblemOf(run, problem).catch(tellError)}
                    >
                      Open
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {(problems.more || problems.rows.length > SHOWN) && (
        <p className={styles.hint}>There are more; the report lists all of them.</p>
      )}
    </div>
  );
}
