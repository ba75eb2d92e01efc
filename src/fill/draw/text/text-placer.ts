import type { BaseFace } from '#fill/fonts/base-face.ts';
import type { ReadValue } from '#fill/values/resolve-value.ts';
import type { TextItem, TextLine } from '../display-list.ts';
import type { PlaceOverlay, RowContext } from '../place-overlay.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import { setComb } from './set-comb.ts';
import { setSimpleLine, setsWhole, setText, type TextRules } from './set-text.ts';
import type { FaceChain } from './shaped-paragraph.ts';
import type { TextFaces } from './text-faces.ts';

export interface TextLook extends Pick<TextItem, 'overlayId' | 'frame' | 'color'> {
  /** Called when the first text is set. */
  readonly chain: () => FaceChain;
  readonly shaper: TextFaces['shaper'];
  readonly own?: BaseFace | undefined;
  /** Distance of the text from the frame's left edge. */
  readonly indent?: number;
}

/** Sets the text that `read` returns. Keeps the last text, because static and repeating values are common. */
export function textPlacer(
  read: ReadValue,
  rules: TextRules,
  { chain, shaper, own, indent = 0, overlayId, frame, color }: TextLook,
): PlaceOverlay {
  let faces: FaceChain | undefined;
  let missing: Set<string> | undefined;
  const tools = {
    shaper,
    missing: (character: string) => {
      missing ??= new Set();
      missing.add(character);
    },
  };
  let last: ({ text: string } & PlacedText) | undefined;
  return (cells, row) => {
    const text = read(cells, row);
    if (text === '') return null; // a blank counts as applied
    row.spend('glyphs', text.length);
    if (last === undefined || last.text !== text) {
      faces ??= chain();
      missing = undefined;
      const used = own !== undefined && setsWhole(own, text) ? { ...faces, base: own } : faces;
      const { size, lines, overflows, overflow } =
        rules.cells === undefined
          ? (setSimpleLine(text, rules, used.base) ?? setText(text, rules, used, tools))
          : setComb(text, rules.cells, rules, used, tools);
      last = {
        text,
        overflow,
        missing: missing === undefined ? undefined : missingGlyphs(missing, faces),
        item: {
          kind: 'text',
          overlayId,
          frame,
          color,
          size,
          lines: indented(lines, indent),
          clipped: overflows,
        },
      };
    }
    placeText(last, row);
    return null;
  };
}

function indented(lines: readonly TextLine[], indent: number): readonly TextLine[] {
  return indent === 0 ? lines : lines.map((line) => ({ ...line, x: line.x + indent }));
}

interface PlacedText {
  readonly item: TextItem;
  readonly missing: string | undefined;
  readonly overflow?: string | undefined;
  /** The note on characters that no face of the wanted style has. */
  readonly nearest?: string | undefined;
}

const LARGER = 'The text is larger than its box and was clipped.';

export function placeText({ item, missing, overflow, nearest }: PlacedText, row: RowContext): void {
  if (item.clipped) row.note('TEXT_CLIPPED', overflow ?? LARGER);
  if (missing !== undefined) row.note('GLYPH_MISSING', missing);
  if (nearest !== undefined) row.note('STYLE_MISSING', nearest);
  for (const line of item.lines) {
    for (const run of line.runs) if (run.kind === 'glyphs') row.fonts.want(run.face, run.glyphs);
  }
  row.items.push(item);
}
