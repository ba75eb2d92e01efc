import type { Health } from '#console/contract/health.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatBytes, formatCount } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { formatSkew } from './health.ts';

type Node = Health['nodes'][number];

const columns: readonly Column<Node>[] = [
  { title: 'Node', grow: true, cell: ({ name }) => name },
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Running', align: 'end', cell: ({ running }) => formatCount(running) },
  { title: 'Load', align: 'end', cell: ({ load }) => load.toFixed(2) },
  { title: 'Event loop', align: 'end', cell: ({ loop_delay_ms }) => `${Math.round(loop_delay_ms)} ms` },
  {
    title: 'Free disk',
    align: 'end',
    cell: ({ free_bytes }) => (free_bytes === null ? '–' : formatBytes(free_bytes)),
  },
  { title: 'Clock', align: 'end', cell: ({ skew_ms }) => formatSkew(skew_ms) },
  { title: 'Last heartbeat', align: 'end', cell: ({ heartbeat_at }) => <Time at={heartbeat_at} /> },
];

/** The processes of the installation. */
export function Nodes({ of }: { of: Health['nodes'] }) {
  return (
    <Section title="Nodes">
      <DataTable label="Nodes" columns={columns} rows={of} rowKey={({ id }) => id} />
    </Section>
  );
}
