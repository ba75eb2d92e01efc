import { Download } from 'lucide-react';
import { useState } from 'react';
import type { ExportItem, ExportSummary } from '#subscribers/export/contract.ts';
import { callJson } from '../../api/operator-client.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tell, tellError } from '../../ui/messages.tsx';
import { useLiveJobs } from '../jobs/use-live-jobs.ts';
import { Cell, type Column } from '../parts/data-table.tsx';
import { formatCount, shortenId } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { AboveRow, RowLink } from '../parts/row-link.tsx';
import { Time } from '../parts/time.tsx';
import { StatusCell } from './imports.tsx';
import { useTransfers } from './list-transfers.ts';

const ROUTE = '/acting/subscribers/jobs/subscriber-exports';

/** Reads the download link when the user wants the file, because the link is a secret and expires within hours. */
async function download(account: string, { id }: ExportSummary): Promise<void> {
  const { data } = await callJson<ExportItem>(`${ROUTE}/${id}`, { account });
  if (data.download_url === null) tell('bad', 'The file has expired. Start a new export to download it.');
  else window.location.assign(data.download_url);
}

const exportColumns = (account: string): readonly Column<ExportSummary>[] => [
  {
    title: 'Export',
    grow: true,
    cell: (job) => (
      <Cell
        main={<RowLink to={`/console/jobs/${job.id}`}>Export</RowLink>}
        sub={<code>{shortenId(job.id)}</code>}
      />
    ),
  },
  { title: 'State', cell: ({ status }) => <StatusCell status={status} /> },
  {
    title: 'Subscribers',
    align: 'end',
    cell: ({ exported_count }) => (exported_count === null ? '–' : formatCount(exported_count)),
  },
  {
    title: 'File',
    align: 'end',
    cell: (job) =>
      job.status === 'Completed' && (
        <AboveRow>
          <Button
            icon={<Download size={14} />}
            aria-label={`Download export ${shortenId(job.id)}`}
            onClick={() => download(account, job).catch(tellError)}
          >
            Download
          </Button>
        </AboveRow>
      ),
  },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Exports({ account }: { account: string }) {
  const [busy, setBusy] = useState(false);
  const pages = useTransfers('exports', account);
  useLiveJobs((job) => job.kind === 'subscribers.export' && job.account === account && pages.reload());
  const start = async () => {
    setBusy(true);
    try {
      await callJson(ROUTE, { method: 'POST', account, json: {} });
      tell('good', 'Export started');
      pages.reload();
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
  };
  const button = (
    <Button resting={busy} onClick={start}>
      Export all subscribers
    </Button>
  );
  return (
    <Section title="Exports" aside={button}>
      <PagedTable
        label="Exports"
        pages={pages}
        columns={exportColumns(account)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No exports yet">
            An export is a CSV file of all subscribers. The server creates it in the background.
          </EmptyState>
        }
      />
    </Section>
  );
}
