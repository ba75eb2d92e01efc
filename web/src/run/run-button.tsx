import { History, Play, SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { useSession } from '../shell/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import styles from './run-button.module.css';
import { type RunStage, showWindow, useRun } from './run-store.ts';
import { useShownStage } from './run-subject.ts';

const RunWindows = lazy(async () => ({ default: (await import('./run-windows.tsx')).RunWindows }));

/** What a run needs is loaded when there is one. */
const pressRun = async () => (await import('./press-run.ts')).pressRun();
const resumeRun = async () => (await import('./resume-run.ts')).resumeRun();

/** Starts a run, or shows the one in progress. Its options and the earlier runs are behind the buttons beside it. */
export function RunButton() {
  const window = useRun((run) => run.window);
  const seen = useRun((run) => run.seen);
  const stage = useShownStage();
  const signedIn = useSession((session) => session.status === 'in');
  const projectId = useEditor((editor) => editor.project?.id);
  const hasRows = useWork((work) => work.rowsFile !== null);
  useEffect(() => {
    // If the job cannot be read, the list of earlier runs says so.
    if (signedIn && hasRows && projectId !== undefined) resumeRun().catch(() => undefined);
  }, [signedIn, hasRows, projectId]);
  return (
    <>
      <div className={styles.split}>
        <Button
          look="primary"
          icon={<Play size={15} />}
          className={styles.run ?? ''}
          onClick={() => void pressRun().catch(tellError)}
        >
          {labelOf(stage, seen)}
        </Button>
        <IconButton
          label="Run options"
          className={styles.options ?? ''}
          onClick={() => showWindow('options')}
        >
          <SlidersHorizontal size={15} />
        </IconButton>
      </div>
      <IconButton label="Earlier runs" onClick={() => showWindow('history')}>
        <History size={16} />
      </IconButton>
      {window !== null && (
        <Suspense fallback={null}>
          <RunWindows window={window} />
        </Suspense>
      )}
    </>
  );
}

function labelOf(stage: RunStage, seen: boolean): string {
  if (stage.at === 'running')
    return `Running ${Math.floor((100 * stage.job.done) / Math.max(1, stage.job.total))} %`;
  if (stage.at === 'checking') return 'Checking…';
  if (stage.at === 'sending') return 'Starting…';
  return stage.at === 'settled' && !seen ? 'Show result' : 'Run';
}
