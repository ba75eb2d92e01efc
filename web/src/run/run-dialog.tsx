import { useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { ProblemsDialog } from '../saving/problems-dialog.tsx';
import { SignInDialog } from '../saving/sign-in-dialog.tsx';
import { useSession } from '../shell/session.ts';
import { Banner, EmptyState } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { RunChoicesForm } from './run-choices-form.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { RunProgress } from './run-progress.tsx';
import { showStage } from './run-store.ts';
import { type EarlierRun, useShownRun } from './run-subject.ts';
import { startRun } from './start-run.ts';

/** The run dialog: options, progress and the ZIP. */
export function RunDialog({ onClose }: { onClose: () => void }) {
  const status = useSession((session) => session.status);
  const rows = useEditor((editor) => editor.rows);
  const showPanel = useEditor((editor) => editor.showPanel);
  const { stage, earlier } = useShownRun();
  const [showsEarlier, setShowsEarlier] = useState(false);
  const account = useSession((session) => session.account);
  const again = () => showStage({ at: 'choosing' });
  if (status !== 'in') return <SignInDialog what="Running" onClose={onClose} />;
  if (earlier !== null && showsEarlier)
    return <Earlier run={earlier} onBack={() => setShowsEarlier(false)} onClose={onClose} />;
  if (stage.at === 'blocked')
    return (
      <ProblemsDialog
        problems={stage.problems}
        onClose={() => {
          again();
          onClose();
        }}
      />
    );
  if (stage.at === 'running') return <RunProgress job={stage.job} onClose={onClose} />;
  if (stage.at === 'settled') return <RunOutcome job={stage.job} outcome={stage.outcome} onClose={onClose} />;
  if (rows === null)
    return (
      <Dialog title="Run" onClose={onClose}>
        <EmptyState
          title="No rows yet"
          action={
            <Button
              look="primary"
              onClick={() => {
                showPanel('data');
                onClose();
              }}
            >
              Add rows
            </Button>
          }
        >
          A run makes one document for each row of a CSV or Excel file.
        </EmptyState>
      </Dialog>
    );
  if (stage.at === 'sending')
    return (
      <Dialog key="sending" title="Run" onClose={onClose}>
        <Waiting label={stage.label} />
        <p>{stage.label}…</p>
      </Dialog>
    );
  if (stage.at === 'refused')
    return (
      <Dialog
        key="refused"
        title="Not started"
        onClose={onClose}
        actions={<Button onClick={again}>Back</Button>}
      >
        <Banner tone="bad" title={stage.message}>
          {[stage.code, stage.requestId].filter((part) => part !== null).join(' · ')}
        </Banner>
        <p>No job was created. Sending the same request again cannot create a second job.</p>
      </Dialog>
    );
  if (stage.at === 'changed')
    return (
      <Dialog
        key="changed"
        title="Not started"
        onClose={onClose}
        actions={
          <>
            <Button onClick={again}>Back</Button>
            <Button
              look="primary"
              disabled={account === null}
              onClick={() => {
                if (account !== null) void startRun(account).catch(tellError);
              }}
            >
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
  return (
    <RunChoicesForm
      rows={rows}
      earlier={earlier}
      onShowEarlier={() => setShowsEarlier(true)}
      onClose={onClose}
    />
  );
}

function Earlier({ run, onBack, onClose }: { run: EarlierRun; onBack: () => void; onClose: () => void }) {
  const { stage, subject } = run;
  if (stage.at === 'running') return <RunProgress job={stage.job} onClose={onClose} />;
  return (
    <RunOutcome job={stage.job} outcome={stage.outcome} earlier={{ subject, onBack }} onClose={onClose} />
  );
}
