import type { OverlayKind } from '../overlay-kind.ts';
import { compileTextOverlay } from './draw.ts';
import { paddingProblem } from './padding.ts';
import type { TextOverlay } from './schema.ts';
import { textTraits } from './traits.ts';

export const textKind = {
  type: 'text',
  traits: textTraits,
  compile: (overlay, { faces, readings }) => compileTextOverlay(overlay, faces, readings),
  faces: (overlay) => [overlay],
  memberProblem: (overlay) => paddingProblem(overlay),
} as const satisfies OverlayKind<TextOverlay>;
