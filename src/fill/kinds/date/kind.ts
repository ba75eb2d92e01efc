import type { OverlayKind } from '../overlay-kind.ts';
import { compileTextOverlay } from '../text/draw.ts';
import { paddingProblem } from '../text/padding.ts';
import type { DateOverlay } from './schema.ts';
import { dateTraits } from './traits.ts';

/** A date differs from a text in the meaning of its value. It is drawn the same way. */
export const dateKind = {
  type: 'date',
  traits: dateTraits,
  compile: (overlay, { faces, readings }) => compileTextOverlay(overlay, faces, readings),
  faces: (overlay) => [overlay],
  memberProblem: (overlay) => paddingProblem(overlay),
} as const satisfies OverlayKind<DateOverlay>;
