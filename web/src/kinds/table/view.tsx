import { Table } from 'lucide-react';
import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import type { KindView } from '../kind-view.ts';
import { TableContent } from './table-content.tsx';

export const tableView: KindView<TableOverlay> = {
  Icon: Table,
  Content: TableContent,
  sections: {},
};
