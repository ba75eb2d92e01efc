import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { QrOverlay } from './schema.ts';

const defaults: Unplaced<QrOverlay> = {
  type: 'qr',
  width: 90,
  height: 90,
  rotation: 0,
  opacity: 1,
  value: { static: 'https://example.org' },
  ecc: 'M',
  color: '#000000',
};

export const qrTraits = { isCode: true, defaults } as const satisfies KindTraits;
