import { missingAsset } from '#fill/draw/images/missing-asset.ts';
import { compilePicture } from '#fill/draw/images/place-picture.ts';
import type { OverlayKind } from '../overlay-kind.ts';
import type { ImageOverlay } from './schema.ts';
import { imageTraits } from './traits.ts';

export const imageKind = {
  type: 'image',
  traits: imageTraits,
  compile: (overlay, { pictures }) => compilePicture(overlay, overlay.value, pictures),
  staticProblem: ({ value }, assets) => missingAsset(value, assets),
} as const satisfies OverlayKind<ImageOverlay>;
