import type { OverlayKind } from '../overlay-kind.ts';
import { compileTableOverlay } from './draw.ts';
import type { TableOverlay } from './schema.ts';
import { tableTraits } from './traits.ts';

export const tableKind = {
  type: 'table',
  traits: tableTraits,
  compile: compileTableOverlay,
  faces: ({ font, bold, italic }) => [
    { font, bold, italic },
    { font, bold: true, italic },
  ],
} as const satisfies OverlayKind<TableOverlay>;
