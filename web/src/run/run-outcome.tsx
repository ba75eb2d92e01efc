import { Download } from 'lucide-react';
import { useState } from 'react';
import type { ProblemRow } from '#console/contract/jobs.ts';
import { operatorUrl } from '../api/operator-client.ts';
import { fieldName } from '../core/overlays/field-name.ts';
import { showRow } from '../data/show-row.ts';
import { useEditor } from '../editor/editor-store.ts';
import { codeWords } from '../preview/code-words.ts';
import { Link } from '../shell/link.tsx';
import { Banner } from '../ui/badge.tsx';
import buttons from '../ui/button.module.css';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tellError } from '../ui/messages.tsx';
import { jobPath, reloadProblems } from './follow-job.ts';
import { outcomeWords } from './outcome-words.ts';
import styles from './run-dialog.module.css';
import {
  type ListedProblems,
  type Outcome,
  type RunningJob,
  type RunSubject,
  showStage,
} from './run-store.ts';
import { bytesWords } from './speed.ts';

/** The result of a run: the ZIP, and the problem rows with a link to each. */
export function RunOutcome({
  job,
  outcome,
  earlier = null,
  onClose,
}: {
  job: RunningJob;
  outcome: Outcome;
  /** Set if the run has other inputs than those on the screen. */
  earlier?: { readonly subject: RunSubject; readonly onBack: () => void } | null;
  onClose: () => void;
}) {
  const again = earlier?.onBack ?? (() => showStage({ at: 'choosing' }));
  const done = outcome.status === 'completed';
  const size = outcome.fileSizeBytes;
  const summary = outcomeWords(job.total, outcome.problems);
  return (
    <Dialog
      title={
        earlier === null
          ? done
            ? 'Finished'
            : 'Not finished'
          : `Earlier run: ${done ? 'finished' : 'not finished'}`
      }
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={again}>New run</Button>
          {done && (
            <a
              className={`${buttons.button} ${buttons.primary}`}
              href={operatorUrl(`${jobPath(job.id)}/download`, { account: job.account })}
              download
            >
              <Download size={15} />
              Download ZIP{size === null ? '' : ` (${bytesWords(size)})`}
            </a>
          )}
        </>
      }
    >
      {earlier !== null && (
        <Banner
          tone="warn"
          title={`Created from “${earlier.subject.projectName}” with ${earlier.subject.rowsName}`}
        >
          The project, its layout or its rows have changed since then.
        </Banner>
      )}
      {done ? (
        <Banner tone={summary.tone} title={`${job.total.toLocaleString()} rows finished`}>
          {summary.words}{' '}
          {outcome.expiresAt !== null &&
            `Available for download until ${until.format(new Date(outcome.expiresAt))}.`}
        </Banner>
      ) : (
        <Banner
          tone="bad"
          title={outcome.error?.code === 'EXPORT_CANCELLED' ? 'Run cancelled' : 'Run failed'}
        >
          {outcome.error?.message} Nothing was counted against the quota.
        </Banner>
      )}
      {outcome.problems === null && <ProblemsMissing job={job} />}
      {outcome.problems !== null && outcome.problems.rows.length > 0 && earlier === null && (
        <Problems job={job} problems={outcome.problems} onClose={onClose} />
      )}
      <p className={styles.hint}>
        Job <code>{job.id}</code> · <Link to={`/console/jobs/${job.id}`}>View in the console</Link>
      </p>
    </Dialog>
  );
}

const until = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A list that could not be loaded is not an empty list. */
function ProblemsMissing({ job }: { job: RunningJob }) {
  const [loading, setLoading] = useState(false);
  const retry = () => {
    setLoading(true);
    reloadProblems(job)
      .catch(tellError)
      .finally(() => setLoading(false));
  };
  return (
    <Banner
      tone="bad"
      title="The list of problem rows could not be loaded"
      action={
        <Button onClick={retry} resting={loading}>
          {loading ? 'Loading…' : 'Try again'}
        </Button>
      }
    >
      The job itself is not affected.
    </Banner>
  );
}

function Problems({
  job,
  problems,
  onClose,
}: {
  job: RunningJob;
  problems: ListedProblems;
  onClose: () => void;
}) {
  const layout = useEditor((editor) => editor.project?.layout);
  /** Opens the failing row at the failing field. */
  const open = async ({ row_number, field }: ProblemRow) => {
    const { showPanel, select } = useEditor.getState();
    await showRow(row_number + job.firstRow - 1);
    if (field !== null) select([field]);
    showPanel('preview');
    onClose();
  };
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
          {problems.rows.map((problem) => (
            <tr key={`${problem.row_number} ${problem.code} ${problem.field}`}>
              <td>{(problem.row_number + job.firstRow - 1).toLocaleString()}</td>
              <td>
                {problem.field === null || layout === undefined ? '' : fieldName(layout, problem.field)}
              </td>
              <td>
                {codeWords(problem.code)}
                <span className={styles.hint}> {problem.message}</span>
              </td>
              <td>
                <Button
                  look="quiet"
                  aria-label={`Open row ${problem.row_number + job.firstRow - 1}`}
                  onClick={() => void open(problem).catch(tellError)}
                >
                  Open
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problems.more && <p className={styles.hint}>There are more; the console lists all of them.</p>}
    </div>
  );
}
