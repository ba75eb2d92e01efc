import type { OverlayKind } from '../overlay-kind.ts';
import { compileTextOverlay } from '../text/draw.ts';
import type { DateOverlay } from './schema.ts';
import { dateTraits } from './traits.ts';

/** A date differs from a text in the meaning of its value. It is drawn the same way. */
export const dateKind = {
  type: 'date',
  traits: dateTraits,
  compile: (overlay, { faces, signs }) => compileTextOverlay(overlay, faces, signs),
  faces: (overlay) => [overlay],
} as const satisfies OverlayKind<DateOverlay>;
