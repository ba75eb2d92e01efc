import { PICTURE_DEFAULTS } from '../default-looks.ts';
import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { StickerOverlay } from './schema.ts';

const defaults: Unplaced<StickerOverlay> = {
  type: 'sticker',
  width: 110,
  height: 26,
  rotation: 0,
  opacity: 1,
  label: 'Sign here',
  color: '#ffd54a',
  ...PICTURE_DEFAULTS,
};

export const stickerTraits = { isPicture: true, isSticker: true, defaults } as const satisfies KindTraits;
