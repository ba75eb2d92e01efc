import type { Health } from '#console/contract/health.ts';
import { callJson } from '../../api/operator-client.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Facts, Figures } from '../parts/facts.tsx';
import { formatBytes, formatCount, formatDuration, formatMany } from '../parts/format.ts';
import { Card, Columns, Page, Section } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { Time } from '../parts/time.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { FailedJobs } from './failed-jobs.tsx';
import { Findings } from './findings.tsx';
import { formatCapped, readReplicaText, replicationText, sandboxText } from './health.ts';
import { Nodes } from './nodes.tsx';

const REFRESH_MS = 5_000;
type Queue = Health['queues'][number];
type Failure = Health['background_errors'][number];

const queueColumns: readonly Column<Queue>[] = [
  { title: 'Queue', grow: true, cell: ({ name }) => name },
  { title: 'Waiting', align: 'end', cell: ({ depth }) => formatCount(depth) },
  {
    title: 'Oldest',
    align: 'end',
    cell: ({ depth, oldest_seconds }) => (depth === 0 ? '–' : formatDuration(oldest_seconds * 1000)),
  },
];
const failureColumns: readonly Column<Failure>[] = [
  { title: 'What', cell: ({ kind }) => <code>{kind}</code> },
  { title: 'Message', grow: true, cell: ({ message }) => <span title={message}>{message}</span> },
  { title: 'Times', align: 'end', cell: ({ count }) => formatCount(count) },
  { title: 'Last', align: 'end', cell: ({ last_at }) => <Time at={last_at} /> },
];

/** The health of the server, reloaded every few seconds. */
export function HealthScreen() {
  const loaded = useLoaded('health', (signal) => callJson<Health>('/health', { signal }), REFRESH_MS);
  return (
    <Page title="Health" lead="The state of this installation. Refreshed every five seconds.">
      <Resource of={loaded} name="The health report">
        {(health) => <HealthView health={health} />}
      </Resource>
    </Page>
  );
}

function HealthView({ health }: { health: Health }) {
  const { database, disk, node, versions, webhooks, prepared_bases: bases } = health;
  const failed = health.failed_jobs.reduce((sum, surface) => sum + surface.failed, 0);
  const waiting = health.queues.reduce((sum, { depth }) => sum + depth, 0);
  return (
    <>
      <Findings of={health} />
      <Figures
        of={[
          { name: 'Up for', value: formatDuration(health.uptime_seconds * 1000) },
          { name: 'Waiting in queues', value: formatCount(waiting) },
          { name: 'Failed jobs', value: formatCapped(failed), note: 'last 24 hours' },
          {
            name: 'Failing webhooks',
            value: formatCapped(webhooks.failing),
            note: `${formatCapped(webhooks.given_up)} given up`,
            bad: webhooks.given_up > 0,
          },
          {
            name: 'Free disk',
            value: disk.free_bytes === null ? '–' : formatBytes(disk.free_bytes),
            ...(disk.total_bytes !== null && { note: `of ${formatBytes(disk.total_bytes)}` }),
          },
          {
            name: 'Connections',
            value: formatCount(database.connections),
            note: `of ${formatCount(database.max_connections)}`,
          },
        ]}
      />
      <FailedJobs of={health.failed_jobs} />
      <Nodes of={health.nodes} />
      <Columns>
        <Section title="Queues">
          <DataTable label="Queues" columns={queueColumns} rows={health.queues} rowKey={({ name }) => name} />
        </Section>
        <Section title="Storage and versions">
          <Card>
            <Facts
              of={[
                ['Database', `${formatBytes(database.size_bytes)}, PostgreSQL ${database.version}`],
                ['Replication', replicationText(health.replication)],
                ['Read replica', readReplicaText(health)],
                ['Blobs', `${formatMany(disk.blob_count, 'file')}, ${formatBytes(disk.blob_bytes)}`],
                ['Prepared PDFs', `${formatCount(bases.count)}, ${formatBytes(bases.bytes)}`],
                [
                  'Memory for requests',
                  `${formatBytes(health.memory_budget.used_bytes)} of ${formatBytes(health.memory_budget.total_bytes)}`,
                ],
                ['This node', `${node.role}, ${formatMany(node.workers, 'worker')}`],
                ['Upload sandbox', sandboxText(health.sandbox)],
                ['Rowpress', versions.rowpress],
                ['Node.js', versions.node],
              ]}
            />
          </Card>
        </Section>
      </Columns>
      {health.background_errors.length > 0 && (
        <Section title="Background errors of the last hour">
          <DataTable
            label="Background errors"
            columns={failureColumns}
            rows={health.background_errors}
            rowKey={({ kind, message }) => `${kind} ${message}`}
          />
        </Section>
      )}
    </>
  );
}
