import { useEffect, useState } from 'react';
import type { RunRecord } from '../core/runs/run-record.ts';
import { useWork } from '../project/work-store.ts';
import { useSession } from '../shell/session.ts';
import { Banner, EmptyState } from '../ui/badge.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { loadOutcome } from './follow-job.ts';
import styles from './history-drawer.module.css';
import { HistoryEntry } from './history-entry.tsx';
import { jobOf, type OpenJobs, refreshRuns } from './run-history.ts';
import { RunOutcome } from './run-outcome.tsx';
import { type Outcome, showWindow } from './run-store.ts';

/** How often open jobs are read while the drawer shows them. */
const POLL_MS = 1_000;

/** Earlier runs of the project: what each was made from, how it ended, and what can be done with it. */
export function HistoryDrawer({ onClose }: { onClose: () => void }) {
  const runs = useWork((work) => work.runs);
  const signedIn = useSession((session) => session.status === 'in');
  const { open, refused } = useFreshRuns(signedIn);
  const [shown, setShown] = useState<{ run: RunRecord; outcome: Outcome } | null>(null);
  const [loading, setLoading] = useState(false);
  const show = (run: RunRecord) => {
    setLoading(true);
    loadOutcome({ id: run.jobId, account: run.account })
      .then((outcome) => setShown({ run, outcome }), tellError)
      .finally(() => setLoading(false));
  };
  if (shown !== null)
    return (
      <RunOutcome
        job={jobOf(shown.run)}
        outcome={shown.outcome}
        onBack={() => setShown(null)}
        onClose={onClose}
      />
    );
  return (
    <Dialog title="Earlier runs" onClose={onClose} side>
      {loading && <Waiting label="Loading the result" />}
      {!signedIn && runs.length > 0 && (
        <Banner tone="warn" title="Sign in to see the current state">
          The list shows what this browser knows.
        </Banner>
      )}
      {refused !== null && (
        <Banner tone="warn" title="The current state could not be read">
          {refused} The list shows what this browser knows.
        </Banner>
      )}
      {runs.length === 0 ? (
        <EmptyState title="No runs yet">
          Press Run to create one document per row. Each run of this project is then listed here, with its
          settings and its ZIP.
        </EmptyState>
      ) : (
        <ol className={styles.list}>
          {runs.map((run) => (
            <HistoryEntry
              key={run.jobId}
              run={run}
              progress={open.get(run.jobId) ?? null}
              onShow={() => show(run)}
              onSettings={() => showWindow('options')}
            />
          ))}
        </ol>
      )}
    </Dialog>
  );
}

/** Reads the state of the runs when the drawer opens, and again while jobs are open. */
function useFreshRuns(signedIn: boolean): { open: OpenJobs; refused: string | null } {
  const [open, setOpen] = useState<OpenJobs>(new Map());
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    if (!signedIn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const refresh = async () => {
      const found = await refreshRuns();
      if (gone) return;
      setOpen(found);
      setRefused(null);
      if (found.size > 0) timer = setTimeout(() => void refresh().catch(fail), POLL_MS);
    };
    const fail = (error: unknown) => {
      if (!gone) setRefused(error instanceof Error ? error.message : String(error));
    };
    refresh().catch(fail);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [signedIn]);
  return { open, refused };
}
