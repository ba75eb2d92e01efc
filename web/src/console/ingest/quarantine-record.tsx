import type { QuarantineRecord } from '#ingest/quarantine/contract.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Facts } from '../parts/facts.tsx';
import { Time } from '../parts/time.tsx';

/** One quarantined record in full: the reason, the content, and buttons to release or discard it. */
export function QuarantineRecordDialog({
  record,
  busy,
  onAct,
  onClose,
}: {
  record: QuarantineRecord;
  busy: boolean;
  onAct: (verb: 'release' | 'discard') => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      wide
      title={`${record.collection} · ${record.source_id}`}
      onClose={onClose}
      actions={
        record.status === 'OPEN' && (
          <>
            <Button look="danger" resting={busy} onClick={() => onAct('discard')}>
              Discard
            </Button>
            <Button look="primary" resting={busy} onClick={() => onAct('release')}>
              Release
            </Button>
          </>
        )
      }
    >
      <Facts
        of={[
          ['Reason', record.reason],
          ['Version', record.source_version ?? 'none was sent'],
          ['Correlation id', <code key="id">{record.correlation_id}</code>],
          ['Since', <Time key="since" at={record.created_at} />],
          ...(record.internal_id === null
            ? []
            : ([['Became', <code key="became">{record.internal_id}</code>]] as const)),
        ]}
      />
      <CodeBlock text={JSON.stringify(record.item, null, 2)} what="the item" wrap />
    </Dialog>
  );
}
