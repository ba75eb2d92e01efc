import { useEffect } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { ProblemsDialog } from '../saving/problems-dialog.tsx';
import { SignInDialog } from '../saving/sign-in-dialog.tsx';
import { useSession } from '../shell/session.ts';
import { Banner, EmptyState } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { pressRun, runRows } from './press-run.ts';
import { RunCheck, RunFindings } from './run-check.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { RunProgress } from './run-progress.tsx';
import { abandonRun, showStage, showWindow, useRun } from './run-store.ts';
import { useShownStage } from './run-subject.ts';
import { startRun } from './start-run.ts';

/** The run dialog: the check, the progress and the ZIP. Before that, what a run still needs. */
export function RunDialog({ onClose }: { onClose: () => void }) {
  const status = useSession((session) => session.status);
  const rows = useEditor((editor) => editor.rows);
  const stage = useShownStage();
  const settled = stage.at === 'settled';
  useEffect(() => {
    if (settled) useRun.setState({ seen: true });
  }, [settled]);
  const backToOptions = () => {
    showStage({ at: 'idle' });
    showWindow('options');
  };
  if (status !== 'in')
    return (
      <SignInDialog what="Running" onClose={onClose} onSignedIn={() => void pressRun().catch(tellError)} />
    );
  switch (stage.at) {
    case 'checking':
      return <RunCheck order={stage.order} />;
    case 'found':
      return <RunFindings order={stage.order} found={stage.found} />;
    case 'blocked':
      return <ProblemsDialog title="Not started" problems={stage.problems} onClose={abandonRun} />;
    case 'sending':
      return (
        <Dialog key="sending" title="Run" onClose={onClose}>
          <Waiting label={stage.label} />
          <p>{stage.label}…</p>
        </Dialog>
      );
    case 'refused':
      return (
        <Dialog
          key="refused"
          title="Not started"
          onClose={onClose}
          actions={<Button onClick={backToOptions}>Back</Button>}
        >
          <Banner tone="bad" title={stage.message}>
            {[stage.code, stage.requestId].filter((part) => part !== null).join(' · ')}
          </Banner>
          <p>No job was created. Sending the same request again cannot create a second job.</p>
        </Dialog>
      );
    case 'changed':
      return (
        <Dialog
          key="changed"
          title="Not started"
          onClose={onClose}
          actions={
            <>
              <Button onClick={backToOptions}>Back</Button>
              <Button look="primary" onClick={() => void startRun(stage.order).catch(tellError)}>
                Start a new run
              </Button>
            </>
          }
        >
          <Banner tone="warn" title="The project or its data changed since this run was first sent">
            {[stage.code, stage.requestId].filter((part) => part !== null).join(' · ')}
          </Banner>
          <p>No job was created. Start a new run to create documents from the current project and rows.</p>
        </Dialog>
      );
    case 'running':
      return <RunProgress job={stage.job} onClose={onClose} />;
    case 'settled':
      return <RunOutcome job={stage.job} outcome={stage.outcome} onClose={onClose} />;
    case 'idle':
      return rows === null ? <NoRows onClose={onClose} /> : <NoFields onClose={onClose} />;
  }
}

function NoRows({ onClose }: { onClose: () => void }) {
  const showPanel = useEditor((editor) => editor.showPanel);
  const add = () => {
    showPanel('data');
    onClose();
  };
  return (
    <Dialog
      title="Run"
      onClose={onClose}
      actions={
        <Button look="primary" onClick={add}>
          Add rows
        </Button>
      }
    >
      <EmptyState title="No rows yet">
        A run makes one document for each row of a CSV or Excel file.
      </EmptyState>
    </Dialog>
  );
}

function NoFields({ onClose }: { onClose: () => void }) {
  const name = useEditor((editor) => editor.project?.source.fileName);
  const rows = useEditor((editor) => editor.rows);
  const showPanel = useEditor((editor) => editor.showPanel);
  const place = () => {
    showPanel('data');
    onClose();
  };
  return (
    <Dialog
      title="Run"
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void runRows(null).catch(tellError)}>Run anyway</Button>
          <Button look="primary" onClick={place}>
            Place fields
          </Button>
        </>
      }
    >
      <EmptyState title="No fields yet">
        Nothing is placed on the page. The run would make {rows?.rowCount.toLocaleString()} copies of {name}.
      </EmptyState>
    </Dialog>
  );
}
