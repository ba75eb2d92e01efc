import { useState } from 'react';
import { countRows, rangesWords, startsAtFirstRow } from '../core/runs/row-ranges.ts';
import type { RunRecord } from '../core/runs/run-record.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { Link } from '../shell/link.tsx';
import { Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tellError } from '../ui/messages.tsx';
import { downloadReport, fitsFile, retryRows } from './after-run.ts';
import { reloadProblems } from './follow-job.ts';
import { failureOutcome, outcomeWords } from './outcome-words.ts';
import { runRows } from './press-run.ts';
import { ProblemTable } from './problem-table.tsx';
import { MAX_NAME_COLUMNS, SKIP_FAILED } from './run-choices.ts';
import styles from './run-dialog.module.css';
import { DownloadLinks, OneRow } from './run-downloads.tsx';
import { type Outcome, type RunningJob, showStage, showWindow } from './run-store.ts';

/** The result of a run: its files, the problem rows with a link to each, and what can be done about them. */
export function RunOutcome({
  job,
  outcome,
  onBack = null,
  onClose,
}: {
  job: RunningJob;
  outcome: Outcome;
  /** Set if the result was opened from the list of earlier runs: returns to the list. */
  onBack?: (() => void) | null;
  onClose: () => void;
}) {
  const record = useWork(({ runs }) => runs.find(({ jobId }) => jobId === job.id));
  const done = outcome.status === 'completed';
  const { failed, partial, problems } = outcome;
  const summary = outcomeWords({ total: job.total, failed, partial, unit: unitOf(job), problems });
  const failure = failureOutcome(outcome.error, failed, record?.options.maxFailedRowPercent ?? null);
  const hasProblems = problems !== null && problems.rows.length > 0;
  const toOptions = () => {
    showStage({ at: 'idle' });
    showWindow('options');
  };
  return (
    <Dialog
      title={done ? 'Finished' : 'Not finished'}
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={onBack ?? toOptions}>{onBack === null ? 'New run' : 'Back to the list'}</Button>
          {hasProblems && (
            <Button onClick={() => void downloadReport(job, record).catch(tellError)}>
              Download report (CSV)
            </Button>
          )}
          <Retry job={job} outcome={outcome} record={record} />
          {done && outcome.expiresAt !== null && (
            <DownloadLinks
              job={job}
              record={record}
              created={job.total - failed}
              sizeBytes={outcome.fileSizeBytes}
            />
          )}
        </>
      }
    >
      {done ? (
        <Banner tone={summary.tone} title={summary.title}>
          {summary.words}{' '}
          {outcome.expiresAt === null
            ? 'The files are no longer available for download.'
            : `Available for download until ${until.format(new Date(outcome.expiresAt))}.`}
        </Banner>
      ) : (
        <Banner tone="bad" title={failure.title}>
          {failure.words}
        </Banner>
      )}
      <Contents job={job} record={record} />
      {done && outcome.expiresAt !== null && <OneRow job={job} record={record} />}
      {problems === null && <ProblemsMissing job={job} />}
      {hasProblems && <ProblemTable run={job} record={record} problems={problems} />}
      <p className={styles.hint}>
        Job <code>{job.id}</code> · <Link to={`/console/jobs/${job.id}`}>View in the console</Link>
      </p>
    </Dialog>
  );
}

const unitOf = ({ isGrouped }: RunningJob) => (isGrouped ? 'group' : 'row');

const until = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Which rows of the file a run of some rows has, and what their documents are called. */
function Contents({ job, record }: { job: RunningJob; record: RunRecord | undefined }) {
  const { rows, rowsName, retryOf } = job;
  if (retryOf === null && startsAtFirstRow(rows)) return null;
  const isNamed = !startsAtFirstRow(rows) && (record?.options.filenameColumns.length ?? 0) < MAX_NAME_COLUMNS;
  return (
    <p>
      {retryOf === null ? 'This run has' : 'This run repeats'} {rangesWords(rows)} of {rowsName}.{' '}
      {isNamed
        ? `The ZIP counts its own ${unitOf(job)}s; each file name also has the ${job.isGrouped ? 'first ' : ''}row of the file.`
        : `The ZIP counts its own ${unitOf(job)}s from 1, in this order.`}
    </p>
  );
}

function Retry({
  job,
  outcome,
  record,
}: {
  job: RunningJob;
  outcome: Outcome;
  record: RunRecord | undefined;
}) {
  const [busy, setBusy] = useState(false);
  const { status, failed, partial, error } = outcome;
  if (status === 'failed' && error?.code === 'FAILED_ROW_THRESHOLD_EXCEEDED') {
    const skip = () => {
      chooseRun({ maxFailedRowPercent: SKIP_FAILED });
      void runRows(job.rows, job.retryOf).catch(tellError);
    };
    return fitsFile(record) && <Button onClick={skip}>Skip failed rows and run</Button>;
  }
  const what = failed > 0 ? 'failed' : 'partial';
  const count = failed > 0 ? failed : partial;
  if (status === 'failed' || count === 0) return null;
  const retry = () => {
    setBusy(true);
    retryRows(job, what, count).catch((cause: unknown) => {
      setBusy(false);
      tellError(cause);
    });
  };
  const words = `${count.toLocaleString()} ${what === 'failed' ? 'failed ' : ''}${count === 1 ? unitOf(job) : `${unitOf(job)}s`}`;
  const isFit = fitsFile(record);
  return (
    <Button
      resting={busy || !isFit}
      onClick={retry}
      title={
        isFit ? undefined : `The file now has another number of rows than the run’s (${countRows(job.rows)}).`
      }
    >
      {what === 'failed' ? `Retry ${words}` : `Retry ${words} with skipped fields`}
    </Button>
  );
}

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
