import { PICTURE_DEFAULTS } from '../default-looks.ts';
import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { ImageOverlay } from './schema.ts';

const defaults: Unplaced<ImageOverlay> = {
  type: 'image',
  width: 120,
  height: 90,
  rotation: 0,
  opacity: 1,
  value: { static: '' },
  ...PICTURE_DEFAULTS,
};

export const imageTraits = { isPicture: true, defaults } as const satisfies KindTraits;
