import { Table } from 'lucide-react';
import { lazy } from 'react';
import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import type { KindView } from '../kind-view.ts';
import { TableContent } from './table-content.tsx';

/** Loaded with the first selected table. */
const TableSection = lazy(async () => ({ default: (await import('./table-section.tsx')).TableSection }));

export const tableView: KindView<TableOverlay> = {
  Icon: Table,
  Content: TableContent,
  sections: { table: TableSection },
};
