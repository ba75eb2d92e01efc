import type { CollectionCount, PartnerOverview } from '#ingest/operator-contract.ts';
import { Link } from '../../shell/link.tsx';
import { Badge, EmptyState } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { AboveRow, RowLink } from '../parts/row-link.tsx';
import { formatActive, formatCounted } from './collection-counts.ts';

const collectionColumns = (partner: string): readonly Column<CollectionCount>[] => {
  const address = (tab: string, collection: string) =>
    `/console/ingest?${new URLSearchParams({ partner, tab, collection })}`;
  return [
    {
      title: 'Collection',
      grow: true,
      cell: ({ name }) => <RowLink to={address('items', name)}>{name}</RowLink>,
    },
    { title: 'Items', align: 'end', cell: ({ items }) => formatCounted(items) },
    { title: 'Active', align: 'end', cell: formatActive },
    {
      title: 'In quarantine',
      align: 'end',
      cell: ({ name, quarantined }) =>
        quarantined === 0 ? (
          '0'
        ) : (
          <AboveRow>
            <Link to={address('quarantine', name)}>
              <Badge tone="warn">{formatCounted(quarantined)} waiting</Badge>
            </Link>
          </AboveRow>
        ),
    },
  ];
};

export function CollectionTable({ of, name }: { of: PartnerOverview; name: string }) {
  if (of.collections.length === 0)
    return <EmptyState title="No items yet">None of this partner’s items has been accepted.</EmptyState>;
  return (
    <DataTable
      label="Collections"
      columns={collectionColumns(name)}
      rows={of.collections}
      rowKey={(collection) => collection.name}
    />
  );
}
