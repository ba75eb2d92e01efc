import { loadBarcodeEncoder } from '#fill/draw/codes/barcode-encoder.ts';
import { CODE_FACE } from '#fill/draw/codes/code-text.ts';
import { staticCodeProblem } from '#fill/draw/codes/static-code-problem.ts';
import type { OverlayKind } from '../overlay-kind.ts';
import { compileBarcodeOverlay } from './draw.ts';
import type { BarcodeOverlay } from './schema.ts';
import { barcodeTraits } from './traits.ts';

export const barcodeKind = {
  type: 'barcode',
  traits: barcodeTraits,
  compile: async (overlay, { faces, readings }) =>
    compileBarcodeOverlay(overlay, await loadBarcodeEncoder(), readings, faces),
  faces: ({ human_readable }) => (human_readable === true ? [CODE_FACE] : []),
  staticProblem: (overlay) =>
    staticCodeProblem(overlay.value, async () => compileBarcodeOverlay(overlay, await loadBarcodeEncoder())),
} as const satisfies OverlayKind<BarcodeOverlay>;
