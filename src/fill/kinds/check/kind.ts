import type { OverlayKind } from '../overlay-kind.ts';
import { choiceGroupProblems } from './choice-group-problems.ts';
import { compileCheckOverlay } from './draw.ts';
import type { CheckOverlay } from './schema.ts';
import { checkTraits } from './traits.ts';

export const checkKind = {
  type: 'check',
  traits: checkTraits,
  compile: (overlay, { overlays }) => compileCheckOverlay(overlay, overlays),
  togetherProblems: choiceGroupProblems,
} as const satisfies OverlayKind<CheckOverlay>;
