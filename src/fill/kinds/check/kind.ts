import type { OverlayKind } from '../overlay-kind.ts';
import { compileCheckOverlay } from './draw.ts';
import type { CheckOverlay } from './schema.ts';
import { checkTraits } from './traits.ts';

export const checkKind = {
  type: 'check',
  traits: checkTraits,
  compile: (overlay) => compileCheckOverlay(overlay),
} as const satisfies OverlayKind<CheckOverlay>;
