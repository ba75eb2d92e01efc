import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import { tableTraits } from '#fill/kinds/table/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const tableTool: KindTool<TableOverlay> = {
  name: 'Table',
  badge: 'TB',
  key: 'G',
  traits: tableTraits,
  label: ({ columns }) => columns.map(({ header }) => header).join(' | '),
};
