import type { OverlayKind } from '../overlay-kind.ts';
import { compileTextOverlay } from './draw.ts';
import type { TextOverlay } from './schema.ts';
import { textTraits } from './traits.ts';

export const textKind = {
  type: 'text',
  traits: textTraits,
  compile: (overlay, { faces, signs }) => compileTextOverlay(overlay, faces, signs),
  faces: (overlay) => [overlay],
} as const satisfies OverlayKind<TextOverlay>;
