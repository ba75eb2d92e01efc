import type { Item } from '#ingest/contract.ts';
import { Button } from '../../ui/button.tsx';
import { Id } from '../jobs/job-facts.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Facts } from '../parts/facts.tsx';
import { Card, Columns, Section } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { Time } from '../parts/time.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { callIngest, type Partner } from './ingest-call.ts';
import { ItemHistory } from './item-history.tsx';
import { ItemState } from './item-lookup.tsx';

/** An item as it is now, the id it is mapped to, and its history. */
export function ItemView({
  of,
  collection,
  sourceId,
  onClose,
}: {
  of: Partner;
  collection: string;
  sourceId: string;
  onClose: () => void;
}) {
  const path = `/${collection}/${encodeURIComponent(sourceId)}`;
  const loaded = useLoaded(path, (signal) => callIngest<Item>(of, path, { signal }));
  return (
    <>
      <div>
        <Button look="quiet" onClick={onClose}>
          ← All items of {collection}
        </Button>
      </div>
      <Resource of={loaded} name="The item">
        {(item) => (
          <Columns>
            <Section title={item.source_id}>
              <Card>
                <Facts
                  of={[
                    ['State', <ItemState key="state" state={item.state} />],
                    ['Mapped to', <Id key="id" id={item.internal_id} what="the internal id" />],
                    ['Version', item.source_version ?? 'none was sent'],
                    ['Changed', <Time key="changed" at={item.updated_at} />],
                  ]}
                />
              </Card>
            </Section>
            <Section title="Current state">
              <CodeBlock text={JSON.stringify(item.item, null, 2)} what="the item" wrap />
            </Section>
          </Columns>
        )}
      </Resource>
      <ItemHistory of={of} path={path} />
    </>
  );
}
