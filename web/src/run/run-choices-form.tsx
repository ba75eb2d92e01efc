import { Play } from 'lucide-react';
import { useState } from 'react';
import { columnName } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo } from '../project/project.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { useSession } from '../shell/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, Switch, TextField } from '../ui/field.tsx';
import { tellError } from '../ui/messages.tsx';
import { AccountField } from './account-field.tsx';
import { CurlSnippet } from './curl-snippet.tsx';
import { EarlierBanner } from './earlier-banner.tsx';
import styles from './run-dialog.module.css';
import type { EarlierRun } from './run-subject.ts';
import { startRun } from './start-run.ts';

const MAX_NAME_COLUMNS = 3;

/** The options of a run. They are stored with the draft. */
export function RunChoicesForm({
  rows,
  earlier,
  onShowEarlier,
  onClose,
}: {
  rows: RowsInfo;
  earlier: EarlierRun | null;
  onShowEarlier: () => void;
  onClose: () => void;
}) {
  const choices = useWork((work) => work.run);
  const account = useSession((session) => session.account);
  const { from, to } = choices.range ?? { from: 1, to: rows.rowCount };
  const wrongRange = from < 1 || to > rows.rowCount || from > to;
  const webhookLacks =
    choices.webhook !== null && (choices.webhook.url === '' || choices.webhook.secret === '');
  const count = Math.max(0, to - from + 1);
  return (
    <Dialog
      title="Run"
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            look="primary"
            icon={<Play size={15} />}
            disabled={wrongRange || webhookLacks || account === null}
            onClick={() => {
              if (account !== null) void startRun(account).catch(tellError);
            }}
          >
            Create {count.toLocaleString()} {count === 1 ? 'document' : 'documents'}
          </Button>
        </>
      }
    >
      {earlier !== null && <EarlierBanner run={earlier} onShow={onShowEarlier} />}
      <div className={styles.columns}>
        <div className={styles.group}>
          <AccountField />
          <RangeFields from={from} to={to} total={rows.rowCount} wrong={wrongRange} />
          <TextField
            label="Give up when more than this many rows fail"
            hint="0 stops at the first failed row."
            unit="%"
            inputMode="numeric"
            value={String(choices.maxFailedRowPercent)}
            onChange={(event) => {
              const percent = Number(event.target.value.replaceAll(/\D/g, ''));
              chooseRun({ maxFailedRowPercent: Math.min(100, percent) });
            }}
          />
        </div>
        <div className={styles.group}>
          <NameColumns />
          <Switch
            label="Flatten forms"
            hint="Form fields become part of the page and cannot be edited."
            checked={choices.flattenForms}
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
      <CurlSnippet rows={rows} />
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
  total: number;
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

function NameColumns() {
  const layout = useEditor((editor) => editor.project?.layout);
  const chosen = useWork((work) => work.run.filenameColumns);
  const rows = useEditor((editor) => editor.rows);
  if (layout === undefined || rows === null) return null;
  const keys = Array.from({ length: rows.columnCount }, (_, index) => `column_${index}`);
  const places = Math.min(chosen.length + 1, MAX_NAME_COLUMNS);
  return (
    <fieldset className={styles.names}>
      <legend>File names: row number, then</legend>
      {Array.from({ length: places }, (_, place) => (
        <SelectField
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the name is what the control is
          key={place}
          label={`Part ${place + 1} of the file name`}
          hideLabel
          value={chosen[place] ?? ''}
          onChange={(event) => {
            const next = [...chosen];
            next[place] = event.target.value;
            chooseRun({ filenameColumns: next.filter((key) => key !== '') });
          }}
        >
          <option value="">{place === 0 ? 'nothing else' : 'nothing more'}</option>
          {keys.map((key) => (
            <option key={key} value={key}>
              {columnName(layout, key)}
            </option>
          ))}
        </SelectField>
      ))}
    </fieldset>
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
