import { Download } from 'lucide-react';
import { useState } from 'react';
import { operatorUrl } from '../api/operator-client.ts';
import { countRows, jobRowOf, rangesWords } from '../core/runs/row-ranges.ts';
import type { RunRecord } from '../core/runs/run-record.ts';
import buttons from '../ui/button.module.css';
import { TextField } from '../ui/field.tsx';
import styles from './output.module.css';
import { type JobAddress, jobPath } from './problem-rows.ts';
import type { RunningJob } from './run-store.ts';
import { bytesWords } from './speed.ts';

const outputOf = (record: RunRecord | undefined) => record?.options.output ?? 'zip';

const pathOf = ({ id, account }: JobAddress, file: string) =>
  operatorUrl(`${jobPath(id)}/${file}`, { account });

/** The files of a run as links: the merged PDF if it has one, and the ZIP. The last one is the main one. */
export function DownloadLinks({
  job,
  record,
  created,
  sizeBytes,
  hasMain = true,
}: {
  job: JobAddress;
  record: RunRecord | undefined;
  /** Rows with a document. Without any, there is no merged PDF. */
  created: number;
  sizeBytes: number | null;
  hasMain?: boolean;
}) {
  const isMerged = outputOf(record) !== 'zip' && created > 0;
  const look = (isMain: boolean) =>
    isMain && hasMain ? `${buttons.button} ${buttons.primary}` : buttons.button;
  return (
    <>
      <a className={look(!isMerged)} href={pathOf(job, 'download')} download>
        <Download size={15} />
        Download ZIP{sizeBytes === null ? '' : ` (${bytesWords(sizeBytes)})`}
      </a>
      {isMerged && (
        <a className={look(true)} href={pathOf(job, 'merged.pdf')} download>
          <Download size={15} />
          Download merged PDF
        </a>
      )}
    </>
  );
}

/** The number under which the job has a row of the file, or one of its own documents if rows are grouped. */
function jobDocument({ isGrouped, rows, total }: RunningJob, number: number): number | undefined {
  if (!isGrouped) return jobRowOf(rows, number);
  return number >= 1 && number <= total ? number : undefined;
}

/** One row of a run as PDF, or its first page as PNG. A row of a merged PDF has no file, and an encrypted one no picture. */
export function OneRow({ job, record }: { job: RunningJob; record: RunRecord | undefined }) {
  const [typed, setTyped] = useState(String(job.isGrouped ? 1 : (job.rows[0]?.[0] ?? 1)));
  if (outputOf(record) === 'merged' || countRows(job.rows) === 0) return null;
  const isEncrypted = record?.options.passwordColumn !== undefined;
  const number = /^\d{1,9}$/.test(typed.trim()) ? jobDocument(job, Number(typed)) : undefined;
  const link = (kind: 'pdf' | 'png') =>
    number === undefined ? (
      <span className={buttons.button} aria-disabled="true">
        {job.isGrouped ? 'Document' : 'Row'} as {kind.toUpperCase()}
      </span>
    ) : (
      <a className={buttons.button} href={pathOf(job, `rows/${number}.${kind}`)} download>
        <Download size={15} />
        {job.isGrouped ? 'Document' : 'Row'} as {kind.toUpperCase()}
      </a>
    );
  return (
    <div data-aside className={styles.row}>
      <TextField
        label={job.isGrouped ? 'One document of the run' : 'One row of the file'}
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        mark={number === undefined ? { 'aria-invalid': true } : undefined}
      />
      {link('pdf')}
      {!isEncrypted && link('png')}
      <span className={styles.meaning} role="status">
        {number === undefined
          ? job.isGrouped
            ? `This run has documents 1 to ${job.total}.`
            : `This run has ${rangesWords(job.rows)}.`
          : ''}
      </span>
    </div>
  );
}
