import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { TableOverlay } from './schema.ts';

const defaults: Unplaced<TableOverlay> = {
  type: 'table',
  width: 400,
  height: 200,
  rotation: 0,
  opacity: 1,
  font: 'sans',
  bold: false,
  italic: false,
  size: 10,
  min_size: 4,
  color: '#000000',
  line_height: 1.2,
  padding: 3,
  valign: 'middle',
  columns: [
    { header: 'Item', value: { static: '' }, width: 100, align: 'left', fit: 'wrap' },
    { header: 'Amount', value: { static: '' }, width: 50, align: 'right', fit: 'wrap' },
  ],
  header: true,
  lines: 'rows',
  line_color: '#999999',
  line_width: 0.5,
  min_rows: 0,
  total_label: '',
};

export const tableTraits = { isTable: true, isReadable: true, defaults } as const satisfies KindTraits;
