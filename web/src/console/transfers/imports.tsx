import { Download } from 'lucide-react';
import type { ImportSummary } from '#subscribers/import/contract.ts';
import { operatorUrl } from '../../api/operator-client.ts';
import { Badge, EmptyState, ProgressBar } from '../../ui/badge.tsx';
import { useLiveJobs } from '../jobs/use-live-jobs.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Cell, type Column } from '../parts/data-table.tsx';
import { formatCount, shortenId } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { AboveRow, RowLink } from '../parts/row-link.tsx';
import { Time } from '../parts/time.tsx';
import { subscribersCommand } from '../reference/commands.ts';
import { useTransfers } from './list-transfers.ts';
import { STATUS_TONES } from './transfer.ts';
import styles from './transfers.module.css';

const count = (title: string, of: (job: ImportSummary) => number): Column<ImportSummary> => ({
  title,
  align: 'end',
  cell: (job) => formatCount(of(job)),
});

const importColumns = (account: string): readonly Column<ImportSummary>[] => [
  {
    title: 'Import',
    grow: true,
    cell: (job) => (
      <Cell
        main={<RowLink to={`/console/jobs/${job.id}`}>{job.dry_run ? 'Dry run' : 'Import'}</RowLink>}
        sub={<code>{shortenId(job.id)}</code>}
      />
    ),
  },
  { title: 'State', cell: ({ status }) => <StatusCell status={status} /> },
  {
    title: 'Rows',
    align: 'end',
    cell: (job) =>
      job.status === 'Processing' ? (
        <ProgressBar label="Progress" value={job.progress} max={1} />
      ) : (
        formatCount(job.row_count)
      ),
  },
  count('New', (job) => job.created_count),
  count('Changed', (job) => job.updated_count),
  count('Same', (job) => job.unchanged_count),
  {
    title: 'Failed',
    align: 'end',
    cell: (job) =>
      job.failed_count === 0 ? (
        '0'
      ) : (
        <AboveRow>
          <a
            className={styles.file}
            download
            href={operatorUrl(`/acting/subscribers/jobs/subscriber-imports/${job.id}/failed-rows`, {
              account,
            })}
            title="Download the failed rows as CSV, with reasons"
          >
            <Download size={14} aria-hidden="true" />
            {formatCount(job.failed_count)} as CSV
          </a>
        </AboveRow>
      ),
  },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
];

export function StatusCell({ status }: { status: ImportSummary['status'] }) {
  return <Badge tone={STATUS_TONES[status]}>{status}</Badge>;
}

export function Imports({ account }: { account: string }) {
  const pages = useTransfers('imports', account);
  useLiveJobs((job) => job.kind === 'subscribers.import' && job.account === account && pages.reload());
  return (
    <Section title="Imports">
      <PagedTable
        label="Imports"
        pages={pages}
        columns={importColumns(account)}
        rowKey={({ id }) => id}
        empty={
          <>
            <EmptyState title="No imports yet">Send a CSV with a key of the Subscribers surface:</EmptyState>
            <CodeBlock text={subscribersCommand()} what="the command" />
          </>
        }
      />
    </Section>
  );
}
