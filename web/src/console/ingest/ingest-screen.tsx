import type { Overview, PartnerOverview } from '#ingest/operator-contract.ts';
import { callJson } from '../../api/operator-client.ts';
import { ChoiceFilter, Filters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useQuery } from '../parts/use-query.ts';
import { CollectionTable } from './collection-table.tsx';
import { IngestEmpty } from './ingest-empty.tsx';
import { ItemLookup } from './item-lookup.tsx';
import { QuarantineList } from './quarantine-list.tsx';

const nameOf = ({ account, partner }: PartnerOverview) =>
  account === partner ? account : `${account} / ${partner}`;

/** Data sent by partners: collections, quarantined records, and single items with their history. */
export function IngestScreen() {
  const [query, setQuery] = useQuery(['partner', 'tab']);
  const loaded = useLoaded('overview', (signal) => callJson<Overview>('/ingest/overview', { signal }));
  return (
    <Page title="Ingest" lead="Master data, documents and inventory that partner systems send in.">
      <Resource of={loaded} name="The overview">
        {({ items: partners, collections }) => {
          const chosen = partners.find((each) => nameOf(each) === query.partner) ?? partners[0];
          if (chosen === undefined) return <IngestEmpty />;
          const waiting = chosen.collections.reduce((sum, { quarantined }) => sum + quarantined, 0);
          return (
            <>
              <Filters>
                <ChoiceFilter
                  label="Partner"
                  value={nameOf(chosen)}
                  choices={partners.map((each) => ({ value: nameOf(each), name: nameOf(each) }))}
                  onChoose={(value) => setQuery('partner', value)}
                />
              </Filters>
              <Tabs
                label="Ingest views"
                current={query.tab}
                onChoose={(tab) => setQuery('tab', tab)}
                tabs={[
                  { id: '', name: 'Collections' },
                  { id: 'quarantine', name: 'Quarantine', count: waiting },
                  { id: 'items', name: 'Items' },
                ]}
              >
                {query.tab === 'quarantine' && (
                  <QuarantineList
                    key={nameOf(chosen)}
                    of={chosen}
                    collections={collections}
                    onChanged={loaded.reload}
                  />
                )}
                {query.tab === 'items' && (
                  <ItemLookup key={nameOf(chosen)} of={chosen} collections={collections} />
                )}
                {query.tab === '' && <CollectionTable of={chosen} name={nameOf(chosen)} />}
              </Tabs>
            </>
          );
        }}
      </Resource>
    </Page>
  );
}
