import { Play } from 'lucide-react';
import { useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo } from '../project/project.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { useSession } from '../shell/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Switch, TextField } from '../ui/field.tsx';
import { tellError } from '../ui/messages.tsx';
import { AccountField } from './account-field.tsx';
import { CurlSnippet } from './curl-snippet.tsx';
import { FailureChoice } from './failure-choice.tsx';
import { GroupChoice } from './group-choice.tsx';
import { NameColumns } from './name-columns.tsx';
import { OutputChoice } from './output-choice.tsx';
import { PasswordChoice } from './password-choice.tsx';
import { obstacleNow, optionsProblem, runRows } from './press-run.ts';
import { flattens, rangeOf, unitOf } from './run-choices.ts';
import styles from './run-dialog.module.css';
import { showStage, showWindow } from './run-store.ts';
import { useDocumentCount } from './use-document-count.ts';

/** The options of a run. They are stored with the draft, so that Run uses them from then on. */
export function RunChoicesForm({ onClose }: { onClose: () => void }) {
  const rows = useEditor((editor) => editor.rows);
  const choices = useWork((work) => work.run);
  const { status, account, accounts } = useSession();
  const { from, to } = rangeOf(choices, rows?.rowCount ?? 0);
  const documents = useDocumentCount();
  const problem = optionsProblem();
  const needsAccount = status === 'in' && accounts.length > 0 && account === null;
  const start = () => {
    if (problem !== null || needsAccount || rows === null || documents.refused !== null) return;
    const obstacle = obstacleNow();
    showStage({ at: 'idle' });
    if (obstacle === null) void runRows(null).catch(tellError);
    else showWindow('run');
  };
  return (
    <Dialog
      title="Run options"
      onClose={onClose}
      wide
      onSubmit={start}
      actions={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button
            type="submit"
            look="primary"
            icon={<Play size={15} />}
            disabled={problem !== null || needsAccount || rows === null || documents.refused !== null}
          >
            Create {documents.count?.toLocaleString() ?? ''}{' '}
            {documents.count === 1 ? 'document' : 'documents'}
          </Button>
        </>
      }
    >
      <OutputChoice />
      <div className={styles.columns}>
        <div className={styles.group}>
          {status === 'in' && accounts.length > 0 && <AccountField />}
          {rows === null ? (
            <p className={styles.hint}>Add a CSV or Excel file to choose its rows and the file names.</p>
          ) : (
            <>
              <GroupChoice documents={documents} />
              {choices.groupBy.length === 0 && (
                <RangeFields from={from} to={to} total={rows.rowCount} wrong={problem === 'range'} />
              )}
            </>
          )}
          <FailureChoice />
          <PasswordChoice />
        </div>
        <div className={styles.group}>
          {rows !== null && <NameColumns rows={rows} first={Math.min(Math.max(1, from), rows.rowCount)} />}
          <Switch
            label="Flatten forms"
            hint={
              choices.output === 'zip'
                ? 'Form fields become part of the page and cannot be edited.'
                : `One PDF of all ${unitOf(choices)}s always has flattened forms.`
            }
            checked={flattens(choices)}
            disabled={choices.output !== 'zip'}
            onChange={(flattenForms) => chooseRun({ flattenForms })}
          />
          <Switch
            label="Include stickers"
            hint="Print “Sign here” tags."
            checked={choices.includeStickers}
            onChange={(includeStickers) => chooseRun({ includeStickers })}
          />
          <WebhookFields />
        </div>
      </div>
      {rows !== null && <CurlSnippet rows={rows} />}
    </Dialog>
  );
}

function RangeFields({
  from,
  to,
  total,
  wrong,
}: {
  from: number;
  to: number;
  total: RowsInfo['rowCount'];
  wrong: boolean;
}) {
  const [typed, setTyped] = useState({ from: String(from), to: String(to) });
  const change = (part: 'from' | 'to', text: string) => {
    const next = { ...typed, [part]: text.replaceAll(/\D/g, '') };
    setTyped(next);
    const range = { from: Number(next.from), to: Number(next.to) };
    chooseRun({ range: range.from === 1 && range.to === total ? null : range });
  };
  const there = `The file has rows 1 to ${total.toLocaleString()}.`;
  return (
    <div className={styles.pair}>
      <TextField
        label="First row"
        inputMode="numeric"
        value={typed.from}
        onChange={(event) => change('from', event.target.value)}
        error={wrong && (from < 1 || from > total) ? there : undefined}
      />
      <TextField
        label="Last row"
        inputMode="numeric"
        value={typed.to}
        onChange={(event) => change('to', event.target.value)}
        error={wrong && from >= 1 && from <= total ? there : undefined}
      />
    </div>
  );
}

function WebhookFields() {
  const webhook = useWork((work) => work.run.webhook);
  return (
    <>
      <Switch
        label="Call a webhook when the run is finished"
        checked={webhook !== null}
        onChange={(on) => chooseRun({ webhook: on ? { url: '', secret: '' } : null })}
      />
      {webhook !== null && (
        <>
          <TextField
            label="Webhook address"
            placeholder="https://example.org/hooks/rowpress"
            value={webhook.url}
            onChange={(event) => chooseRun({ webhook: { ...webhook, url: event.target.value } })}
          />
          <TextField
            label="Signing secret"
            value={webhook.secret}
            onChange={(event) => chooseRun({ webhook: { ...webhook, secret: event.target.value } })}
          />
        </>
      )}
    </>
  );
}
