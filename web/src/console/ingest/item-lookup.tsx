import type { Page } from '#console/contract/list.ts';
import type { ListedItem } from '#ingest/operator-contract.ts';
import { callJson } from '../../api/operator-client.ts';
import { Badge, EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ChoiceFilter, Filters } from '../parts/filters.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import { Time } from '../parts/time.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import type { Partner } from './ingest-call.ts';
import { ItemView } from './item-view.tsx';

const itemColumns = (onOpen: (id: string) => void): readonly Column<ListedItem>[] => [
  { title: 'Source id', grow: true, cell: ({ source_id }) => <strong>{source_id}</strong> },
  { title: 'Version', align: 'end', cell: ({ source_version }) => source_version ?? '–' },
  { title: 'State', cell: ({ state }) => <ItemState state={state} /> },
  { title: 'Changes', align: 'end', cell: ({ changes }) => changes },
  { title: 'Changed', align: 'end', cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: ({ source_id }) => (
      <Button aria-label={`History of ${source_id}`} onClick={() => onOpen(source_id)}>
        History
      </Button>
    ),
  },
];

export function ItemState({ state }: { state: ListedItem['state'] }) {
  return <Badge tone={state === 'ACTIVE' ? 'good' : 'neutral'}>{state.toLowerCase()}</Badge>;
}

/** Finds items of a collection by id prefix, and shows one of them with its full history. */
export function ItemLookup({ of, collections }: { of: Partner; collections: readonly string[] }) {
  const [query, setQuery] = useQuery(['collection', 'q', 'item']);
  const collection = query.collection || (collections[0] ?? '');
  const pages = usePages<ListedItem>(`${collection} ${query.q}`, (cursor, signal) =>
    callJson<Page<ListedItem>>('/ingest/items', {
      query: { account: of.account, partner: of.partner, collection, q: query.q, cursor, limit: 50 },
      signal,
    }),
  );
  if (query.item !== '')
    return (
      <ItemView
        key={query.item}
        of={of}
        collection={collection}
        sourceId={query.item}
        onClose={() => setQuery('item', '')}
      />
    );
  return (
    <>
      <Filters>
        <ChoiceFilter
          label="Collection"
          value={collection}
          choices={collections.map((name) => ({ value: name, name }))}
          onChoose={(value) => setQuery('collection', value)}
        />
        <TextFilter
          label="Source id begins with"
          value={query.q}
          onChange={(value) => setQuery('q', value)}
        />
      </Filters>
      <PagedTable
        label="Items"
        pages={pages}
        columns={itemColumns((id) => setQuery('item', id))}
        rowKey={({ source_id }) => source_id}
        empty={
          <EmptyState title="No items match">Choose another collection, or type less of the id.</EmptyState>
        }
      />
    </>
  );
}
