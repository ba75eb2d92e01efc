import { useState } from 'react';
import type {
  QuarantineList as QuarantineListPage,
  QuarantineRecord,
  Redriven,
} from '#ingest/quarantine/contract.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tell, tellError } from '../../ui/messages.tsx';
import { ChoiceFilter, Filters } from '../parts/filters.tsx';
import { formatMany } from '../parts/format.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import { callIngest, type Partner } from './ingest-call.ts';
import { doForEach } from './quarantine.ts';
import { quarantineColumns } from './quarantine-columns.tsx';
import styles from './quarantine-list.module.css';
import { QuarantineRecordDialog } from './quarantine-record.tsx';

const STATUSES = ['OPEN', 'RELEASED', 'DISCARDED', 'ACCEPTED', 'SUPERSEDED'].map((value) => ({
  value,
  name: value.charAt(0) + value.slice(1).toLowerCase(),
}));

/** Quarantined items: release, discard, or re-evaluate them. */
export function QuarantineList({
  of,
  collections,
  onChanged,
}: {
  of: Partner;
  collections: readonly string[];
  onChanged: () => void;
}) {
  const [query, setQuery] = useQuery(['collection', 'status', 'reason']);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<QuarantineRecord | undefined>();
  const [busy, setBusy] = useState(false);
  const status = query.status || 'OPEN';
  const pages = usePages<QuarantineRecord>(`${query.collection} ${status}`, async (cursor, signal) => {
    const list = await callIngest<QuarantineListPage>(of, '/quarantine', {
      query: { collection: query.collection, status, cursor, limit: 100 },
      signal,
    });
    return { items: list.data, next_cursor: list.next_cursor };
  });
  const wanted = query.reason.toLowerCase();
  const visible = pages.items?.filter(({ reason }) => reason.toLowerCase().includes(wanted));
  const selected = (visible ?? []).filter(({ quarantine_id }) => chosen.has(quarantine_id));

  const finish = () => {
    setBusy(false);
    setChosen(new Set());
    setShown(undefined);
    pages.reload();
    onChanged();
  };
  const act = async (verb: 'release' | 'discard', records: readonly QuarantineRecord[]) => {
    setBusy(true);
    const { done, failures } = await doForEach(records, ({ quarantine_id }) =>
      callIngest(of, `/quarantine/${quarantine_id}/${verb}`, { method: 'POST' }),
    );
    if (done > 0)
      tell('good', `${formatMany(done, 'item')} ${verb === 'release' ? 'released' : 'discarded'}`);
    for (const { error } of failures.slice(0, 3)) tellError(error);
    finish();
  };
  const redrive = async () => {
    setBusy(true);
    try {
      const answer = await callIngest<Redriven>(of, '/quarantine/redrive', {
        method: 'POST',
        query: { collection: query.collection },
      });
      tell('good', `${formatMany(answer.evaluated, 'item')} re-evaluated, ${answer.accepted} accepted`);
    } catch (error) {
      tellError(error);
    }
    finish();
  };
  return (
    <>
      <Filters>
        <ChoiceFilter
          label="Collection"
          all="All collections"
          value={query.collection}
          choices={collections.map((name) => ({ value: name, name }))}
          onChoose={(value) => setQuery('collection', value)}
        />
        <ChoiceFilter
          label="Status"
          value={status}
          choices={STATUSES}
          onChoose={(value) => setQuery('status', value === 'OPEN' ? '' : value)}
        />
        <TextFilter
          label="Reason contains"
          value={query.reason}
          onChange={(value) => setQuery('reason', value)}
        />
        <div className={styles.actions}>
          {selected.length > 0 && (
            <>
              <Button look="primary" resting={busy} onClick={() => act('release', selected)}>
                Release {selected.length}
              </Button>
              <Button look="danger" resting={busy} onClick={() => act('discard', selected)}>
                Discard {selected.length}
              </Button>
            </>
          )}
          <Button resting={busy} onClick={redrive} title="Accept items whose missing references have arrived">
            Re-drive {query.collection === '' ? 'all' : 'collection'}
          </Button>
        </div>
      </Filters>
      <PagedTable
        label="Quarantine"
        pages={{ ...pages, items: visible }}
        columns={quarantineColumns({
          selectable: status === 'OPEN',
          chosen,
          onChoose: setChosen,
          all: visible ?? [],
          onShow: setShown,
        })}
        rowKey={({ quarantine_id }) => quarantine_id}
        empty={
          <EmptyState title={status === 'OPEN' ? 'No items in quarantine' : 'No records with this status'}>
            An item is quarantined if it refers to an item that does not exist yet. It is kept until it is
            released, discarded or accepted.
          </EmptyState>
        }
      />
      {shown !== undefined && (
        <QuarantineRecordDialog
          record={shown}
          busy={busy}
          onAct={(verb) => act(verb, [shown])}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}
