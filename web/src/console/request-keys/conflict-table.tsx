import type { KeyConflict } from '#console/contract/request-keys.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import styles from './request-keys-screen.module.css';

const columns: readonly Column<KeyConflict>[] = [
  {
    title: 'Differs in',
    cell: ({ differs_in }) => (
      <span className={styles.parts}>
        {differs_in.length === 0 && 'not known'}
        {differs_in.map((part) => (
          <Badge key={part} tone="bad">
            {part}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    title: 'Request',
    grow: true,
    cell: ({ request_id }) => <code title={request_id}>{request_id}</code>,
  },
  { title: 'Account', cell: ({ account }) => account },
  { title: 'When', align: 'end', cell: ({ at }) => <Time at={at} /> },
];

/** Requests that were rejected with 409, newest first. The server stores the last twenty. */
export function ConflictTable({ conflicts }: { conflicts: readonly KeyConflict[] }) {
  return (
    <Section title="Rejected requests (409)">
      <DataTable
        label="Conflicts"
        columns={columns}
        rows={conflicts}
        rowKey={({ request_id, at }) => `${at} ${request_id}`}
      />
    </Section>
  );
}
