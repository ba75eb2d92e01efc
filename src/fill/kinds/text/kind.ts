import type { OverlayKind } from '../overlay-kind.ts';
import { compileTextOverlay } from './draw.ts';
import { textOverlaySchema } from './schema.ts';
import { textTraits } from './traits.ts';

export const textKind = {
  type: 'text',
  schema: textOverlaySchema,
  traits: textTraits,
  compile: (overlay, { faces, signs }) => compileTextOverlay(overlay, faces, signs),
  faces: (overlay) => [overlay],
} as const satisfies OverlayKind<typeof textOverlaySchema>;
