import { staticCodeProblem } from '#fill/draw/codes/static-code-problem.ts';
import type { OverlayKind } from '../overlay-kind.ts';
import { compileQrOverlay } from './draw.ts';
import type { QrOverlay } from './schema.ts';
import { qrTraits } from './traits.ts';

export const qrKind = {
  type: 'qr',
  traits: qrTraits,
  compile: (overlay, { readings }) => compileQrOverlay(overlay, readings),
  staticProblem: (overlay) => staticCodeProblem(overlay.value, () => compileQrOverlay(overlay)),
} as const satisfies OverlayKind<QrOverlay>;
