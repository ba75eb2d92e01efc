import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { BarcodeOverlay } from './schema.ts';

const defaults: Unplaced<BarcodeOverlay> = {
  type: 'barcode',
  symbology: 'code128',
  width: 180,
  height: 48,
  rotation: 0,
  opacity: 1,
  value: { static: 'LOT-0001' },
  color: '#000000',
};

export const barcodeTraits = { isCode: true, defaults } as const satisfies KindTraits;
