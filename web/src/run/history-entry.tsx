import { useState } from 'react';
import { countRows, rangesWords } from '../core/runs/row-ranges.ts';
import { isDownloadable, type RunOptions, type RunRecord } from '../core/runs/run-record.ts';
import { chooseRun } from '../project/work-store.ts';
import { Badge, ProgressBar, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { fitsFile, openFailingRows } from './after-run.ts';
import styles from './history-drawer.module.css';
import { outputWords } from './output-words.ts';
import { failureWords } from './run-choices.ts';
import { DownloadLinks } from './run-downloads.tsx';

/** One earlier run: when, what from, how it ended. */
export function HistoryEntry({
  run,
  progress,
  onShow,
  onSettings,
}: {
  run: RunRecord;
  progress: { readonly done: number; readonly total: number } | null;
  onShow: () => void;
  onSettings: () => void;
}) {
  // Read once: an entry that expires while the drawer is open stays until it is opened again.
  const [now] = useState(Date.now);
  const { result, file, layout } = run;
  const settled = result !== null && result.status !== 'gone';
  const when = moments.format(run.startedAt);
  const hasProblems = settled && result.failed + result.partial + result.noted > 0;
  return (
    <li className={styles.entry} aria-label={`Run of ${when}`}>
      <div className={styles.head}>
        <strong>{when}</strong>
        <Badge tone={toneOf(run)}>{stateWords(run)}</Badge>
      </div>
      {result === null && progress !== null && (
        <ProgressBar label="Rows done" value={progress.done} max={progress.total} />
      )}
      {settled && <p className={styles.result}>{resultWords(run)}</p>}
      {result?.error && <p className={styles.result}>{result.error.message}</p>}
      <dl className={styles.facts}>
        <dt>Data</dt>
        <dd>
          {file.name}, {rowsWords(run)}
          {file.corrections > 0 && `, ${file.corrections.toLocaleString()} corrected in the editor`}{' '}
          <code title={`SHA-256 ${file.sha256}`}>{file.sha256.slice(0, 8)}</code>
        </dd>
        <dt>Layout</dt>
        <dd>
          Version {layout.version} <code title={`SHA-256 ${layout.sha256}`}>{layout.sha256.slice(0, 8)}</code>
        </dd>
        <dt>Options</dt>
        <dd>{optionWords(run.options)}</dd>
      </dl>
      <div className={styles.actions}>
        {isDownloadable(run, now) && (
          <DownloadLinks
            job={{ id: run.jobId, account: run.account }}
            record={run}
            created={result?.created ?? 0}
            sizeBytes={result?.sizeBytes ?? null}
            hasMain={false}
          />
        )}
        {settled && (
          <Button look="quiet" onClick={onShow}>
            Show result
          </Button>
        )}
        {hasProblems && fitsFile(run) && (
          <Button
            look="quiet"
            onClick={() => void openFailingRows({ ...run, id: run.jobId }).catch(tellError)}
          >
            Open failing rows
          </Button>
        )}
        <Button
          look="quiet"
          onClick={() => {
            restoreSettings(run);
            onSettings();
          }}
        >
          Use these settings again
        </Button>
      </div>
    </li>
  );
}

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Makes the options of a run those of the next one. The secret of a webhook is not kept, so the webhook is left out. */
function restoreSettings({ options, rows, file, retryOf }: RunRecord): void {
  const [only] = rows;
  const isAll = only?.[0] === 1 && only[1] === file.rowCount;
  const range = retryOf === null && !isAll && only !== undefined ? { from: only[0], to: only[1] } : null;
  chooseRun({
    flattenForms: options.flattenForms,
    includeStickers: options.includeStickers,
    filenameColumns: options.filenameColumns.map(({ key }) => key),
    maxFailedRowPercent: options.maxFailedRowPercent,
    range,
    webhook: null,
    output: options.output ?? 'zip',
    sheet: options.sheet ?? null,
    duplex: options.duplex ?? false,
    passwordColumn: options.passwordColumn?.key ?? null,
    groupBy: (options.groupBy ?? []).map(({ key }) => key),
  });
  tell(
    'good',
    options.webhookUrl === null
      ? 'Settings restored'
      : 'Settings restored without the webhook, whose secret is not kept',
  );
}

function toneOf({ result }: RunRecord): Tone {
  if (result === null) return 'accent';
  if (result.status === 'gone') return 'neutral';
  if (result.status === 'failed' || result.failed > 0) return 'bad';
  return result.partial + result.noted > 0 ? 'warn' : 'good';
}

function stateWords({ result, retryOf, options }: RunRecord): string {
  const kind = retryOf === null ? '' : 'retry, ';
  if (result === null) return `${kind}running`;
  if (result.status === 'gone') return `${kind}no longer on the server`;
  if (result.status === 'completed')
    return `${kind}finished${result.failed > 0 ? `, with failed ${options.groupBy === undefined ? 'rows' : 'groups'}` : ''}`;
  return `${kind}${result.error?.code === 'EXPORT_CANCELLED' ? 'cancelled' : 'not finished'}`;
}

function resultWords({ result }: RunRecord): string {
  if (result === null) return '';
  const parts = [
    `${result.created.toLocaleString()} created`,
    `${result.failed.toLocaleString()} failed`,
    ...(result.partial > 0 ? [`${result.partial.toLocaleString()} with skipped fields`] : []),
    `${result.noted.toLocaleString()} with notes`,
  ];
  return parts.join(', ');
}

function rowsWords({ rows, file }: RunRecord): string {
  const count = countRows(rows);
  return count === file.rowCount
    ? `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`
    : rangesWords(rows);
}

function optionWords(options: RunOptions): string {
  const names = options.filenameColumns.map(({ name }) => name);
  return [
    failureWords(options.maxFailedRowPercent, options.groupBy === undefined ? 'row' : 'group'),
    ...(names.length > 0 ? [`file names with ${names.join(', ')}`] : []),
    ...(options.flattenForms ? ['forms flattened'] : []),
    ...(options.includeStickers ? ['stickers included'] : []),
    ...outputWords(options),
    ...(options.webhookUrl === null ? [] : ['webhook called']),
  ].join(', ');
}
