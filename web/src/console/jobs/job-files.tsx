import type { JobDetail } from '#console/contract/jobs.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Cell, type Column, DataTable } from '../parts/data-table.tsx';
import { formatBytes, formatMany } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import styles from './job-facts.module.css';

type File = JobDetail['files'][number];

const KINDS: Readonly<Record<File['kind'], string>> = {
  pdf: 'Source PDF',
  package: 'Package',
  rows: 'Rows',
  pictures: 'Pictures',
  other: 'File',
};

function contents({ pages, rows }: File): string {
  if (pages !== null) return formatMany(pages, 'page');
  return rows === null ? '–' : formatMany(rows, 'row');
}

const columns: readonly Column<File>[] = [
  {
    title: 'File',
    grow: true,
    cell: ({ kind, name }) =>
      name === null ? (
        <Cell main={KINDS[kind]} />
      ) : (
        <Cell main={<span title={name}>{name}</span>} sub={KINDS[kind]} />
      ),
  },
  { title: 'Contents', align: 'end', cell: contents },
  {
    title: 'Size',
    align: 'end',
    cell: ({ size_bytes }) => (size_bytes === null ? '–' : formatBytes(size_bytes)),
  },
  { title: 'Stored', cell: ({ is_stored }) => (is_stored ? 'yes' : 'no longer') },
  {
    title: 'SHA-256',
    cell: ({ sha256, kind }) =>
      sha256 === null ? (
        '–'
      ) : (
        <span className={styles.id} title={sha256}>
          <code>{sha256.slice(0, 12)}…</code>
          <CopyButton text={sha256} what={`the SHA-256 of the ${KINDS[kind].toLowerCase()}`} />
        </span>
      ),
  },
];

/** The files that the job was made from. */
export function JobFiles({ files }: { files: JobDetail['files'] }) {
  if (files.length === 0) return null;
  return (
    <Section title="Inputs">
      <DataTable
        label="Inputs"
        columns={columns}
        rows={files}
        rowKey={({ kind, sha256 }) => `${kind} ${sha256}`}
      />
    </Section>
  );
}
