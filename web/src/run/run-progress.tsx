import { useEffect, useState } from 'react';
import { Badge, ProgressBar } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { say, tellError } from '../ui/messages.tsx';
import { cancelRun } from './follow-job.ts';
import styles from './run-dialog.module.css';
import type { RunningJob } from './run-store.ts';
import { durationWords, secondsLeft } from './speed.ts';

export function RunProgress({ job, onClose }: { job: RunningJob; onClose: () => void }) {
  const [stopping, setStopping] = useState(false);
  const left = secondsLeft(job);
  const quarter = Math.floor((4 * job.done) / Math.max(1, job.total));
  useEffect(() => {
    // The bar itself is not announced; three announcements on the way are enough, and the result has its own.
    if (quarter > 0 && quarter < 4) say(`${quarter * 25} % of the rows are done`);
  }, [quarter]);
  const stop = () => {
    setStopping(true);
    cancelRun().catch((error: unknown) => {
      setStopping(false);
      tellError(error);
    });
  };
  return (
    <Dialog
      title="Running"
      onClose={onClose}
      actions={
        <>
          <Button look="danger" onClick={stop} resting={stopping}>
            {stopping ? 'Stopping…' : 'Cancel run'}
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className={styles.big}>
        <strong>{job.done.toLocaleString()}</strong> of {job.total.toLocaleString()}{' '}
        {job.isGrouped ? 'documents' : 'rows'}
      </div>
      <ProgressBar label="Rows done" value={job.done} max={job.total} />
      <div className={styles.pairs}>
        <span>
          {job.rowsPerSecond === null
            ? 'Starting'
            : `${Math.round(job.rowsPerSecond).toLocaleString()} rows/s`}
        </span>
        <span>{left === null ? '' : `about ${durationWords(left)} left`}</span>
        {job.failed > 0 && <Badge tone="bad">{job.failed.toLocaleString()} failed</Badge>}
      </div>
      <p className={styles.hint}>The run goes on when this window is closed.</p>
    </Dialog>
  );
}
