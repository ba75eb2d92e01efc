import type { OverlayKind } from '../overlay-kind.ts';
import { compileCheckOverlay } from './draw.ts';
import { checkOverlaySchema } from './schema.ts';
import { checkTraits } from './traits.ts';

export const checkKind = {
  type: 'check',
  schema: checkOverlaySchema,
  traits: checkTraits,
  compile: (overlay) => compileCheckOverlay(overlay),
} as const satisfies OverlayKind<typeof checkOverlaySchema>;
