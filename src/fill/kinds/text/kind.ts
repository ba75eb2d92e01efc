import type { OverlayKind } from '../overlay-kind.ts';
import { compileTextOverlay } from './draw.ts';
import { paddingProblem } from './padding.ts';
import type { TextOverlay } from './schema.ts';
import { markupProblem, styledFaces } from './styled-parts.ts';
import { textTraits } from './traits.ts';

export const textKind = {
  type: 'text',
  traits: textTraits,
  compile: (overlay, { faces, readings }) => compileTextOverlay(overlay, faces, readings),
  faces: (overlay) => styledFaces(overlay),
  memberProblem: (overlay) => paddingProblem(overlay) ?? markupProblem(overlay),
} as const satisfies OverlayKind<TextOverlay>;
