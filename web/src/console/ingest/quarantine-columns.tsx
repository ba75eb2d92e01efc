import type { QuarantineRecord } from '#ingest/quarantine/contract.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Cell, type Column } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './quarantine-list.module.css';

interface Choosing {
  readonly selectable: boolean;
  readonly chosen: ReadonlySet<string>;
  readonly all: readonly QuarantineRecord[];
  onChoose(chosen: ReadonlySet<string>): void;
  onShow(record: QuarantineRecord): void;
}

export function quarantineColumns({
  selectable,
  chosen,
  onChoose,
  onShow,
}: Choosing): readonly Column<QuarantineRecord>[] {
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  const box: Column<QuarantineRecord> = {
    title: 'Chosen',
    hideTitle: true,
    cell: ({ quarantine_id, source_id }) => (
      <input
        type="checkbox"
        className={styles.box}
        aria-label={`Select ${source_id}`}
        checked={chosen.has(quarantine_id)}
        onChange={() => toggle(quarantine_id)}
      />
    ),
  };
  return [
    ...(selectable ? [box] : []),
    {
      title: 'Item',
      cell: ({ source_id, collection, source_version }) => (
        <Cell
          main={<strong>{source_id}</strong>}
          sub={`${collection}${source_version === null ? '' : ` · version ${source_version}`}`}
        />
      ),
    },
    { title: 'Reason', grow: true, cell: ({ reason }) => <span title={reason}>{reason}</span> },
    {
      title: 'Status',
      cell: ({ status }) => (
        <Badge tone={status === 'OPEN' ? 'warn' : 'neutral'}>{status.toLowerCase()}</Badge>
      ),
    },
    { title: 'Since', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: 'Actions',
      hideTitle: true,
      align: 'end',
      cell: (record) => (
        <Button aria-label={`View ${record.source_id}`} onClick={() => onShow(record)}>
          {' '}
          View{' '}
        </Button>
      ),
    },
  ];
}
