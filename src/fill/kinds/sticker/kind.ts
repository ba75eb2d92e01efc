import { missingAsset } from '#fill/draw/images/missing-asset.ts';
import type { OverlayKind } from '../overlay-kind.ts';
import { compileStickerOverlay, STICKER_FACE } from './draw.ts';
import type { StickerOverlay } from './schema.ts';
import { stickerTraits } from './traits.ts';

export const stickerKind = {
  type: 'sticker',
  traits: stickerTraits,
  compile: (overlay, { pictures, faces }) => compileStickerOverlay(overlay, pictures, faces),
  faces: ({ value }) => (value === undefined ? [STICKER_FACE] : []),
  staticProblem: ({ value }, assets) => missingAsset(value, assets),
} as const satisfies OverlayKind<StickerOverlay>;
