import type { Attempt } from '#console/contract/deliveries.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatDuration } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';

const succeeded = ({ status }: Attempt) => status !== null && status >= 200 && status < 300;

function AttemptBadge({ attempt }: { attempt: Attempt }) {
  if (attempt.ms === null) return <Badge tone="accent">running</Badge>;
  return <Badge tone={succeeded(attempt) ? 'good' : 'bad'}>{attempt.status ?? 'no answer'}</Badge>;
}

const columns: readonly Column<Attempt>[] = [
  { title: 'Attempt', cell: ({ n }) => `No. ${n}` },
  { title: 'Response', cell: (attempt) => <AttemptBadge attempt={attempt} /> },
  { title: 'Reason', grow: true, cell: ({ error }) => error && <span title={error}>{error}</span> },
  { title: 'Duration', align: 'end', cell: ({ ms }) => (ms === null ? '–' : formatDuration(ms)) },
  { title: 'When', align: 'end', cell: ({ at }) => <Time at={at} /> },
];

export function Attempts({ attempts, nextAt }: { attempts: readonly Attempt[]; nextAt: string | null }) {
  return (
    <Section
      title="Attempts"
      aside={
        nextAt !== null && (
          <span>
            Next try <Time at={nextAt} />
          </span>
        )
      }
    >
      {attempts.length === 0 ? (
        <p>No attempts yet.</p>
      ) : (
        <DataTable
          label="Attempts, newest first"
          columns={columns}
          rows={attempts.toReversed()}
          rowKey={({ n }) => String(n)}
        />
      )}
    </Section>
  );
}
