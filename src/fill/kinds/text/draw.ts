import type { TextItem, TextLine } from '#fill/draw/display-list.ts';
import { colorOf, frameOf } from '#fill/draw/frame.ts';
import type { PlaceOverlay, RowContext } from '#fill/draw/place-overlay.ts';
import { missingGlyphs } from '#fill/draw/text/missing-glyphs.ts';
import { setSimpleLine, setsWhole, setText, type TextRules } from '#fill/draw/text/set-text.ts';
import type { FaceChain } from '#fill/draw/text/shaped-paragraph.ts';
import type { TextFaces } from '#fill/draw/text/text-faces.ts';
import type { BaseFace } from '#fill/fonts/base-face.ts';
import type { DateOverlay, TextOverlay } from '#fill/package/layout-schema.ts';
import type { DecimalSigns } from '#fill/values/decimal-signs.ts';
import { compileValue, type ReadValue } from '#fill/values/resolve-value.ts';

/** What a native field adds to an overlay. */
export interface FieldText {
  /** The field's own font, by its place among the fonts of the source. It sets what it has whole. */
  readonly sourceFace?: number;
}

/** Text and date overlays differ in what their value means, not in how it is set. */
export function compileTextOverlay(
  overlay: (TextOverlay | DateOverlay) & FieldText,
  faces: TextFaces,
  signs?: DecimalSigns,
): PlaceOverlay {
  const read = compileValue(overlay.value, overlay.format, signs);
  const rules: TextRules = {
    width: overlay.width,
    height: overlay.height,
    size: overlay.size,
    minSize: overlay.min_size,
    lineHeight: overlay.line_height,
    wrap: overlay.wrap,
    fit: overlay.fit,
    align: overlay.align,
    valign: overlay.valign,
  };
  return textPlacer(read, rules, {
    overlayId: overlay.id,
    frame: frameOf(overlay),
    color: colorOf(overlay.color),
    chain: () => faces.chain(overlay.font, overlay),
    shaper: faces.shaper,
    own: overlay.sourceFace === undefined ? undefined : faces.source[overlay.sourceFace],
  });
}

interface TextLook extends Pick<TextItem, 'overlayId' | 'frame' | 'color'> {
  /** Asked for when a text is first set. */
  readonly chain: () => FaceChain;
  readonly shaper: TextFaces['shaper'];
  readonly own?: BaseFace | undefined;
  /** How far the text stands in from the frame's left edge. */
  readonly indent?: number;
}

/** Sets whatever `read` gives; the last text is remembered, because static and repeating values are common. */
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
  let last: { text: string; item: TextItem; missing: string | undefined } | undefined;
  return (cells, row) => {
    const text = read(cells, row);
    if (text === '') return null; // blank is drawn as nothing and counts as applied
    row.spend('glyphs', text.length);
    if (last === undefined || last.text !== text) {
      faces ??= chain();
      missing = undefined;
      const used = own !== undefined && setsWhole(own, text) ? { ...faces, base: own } : faces;
      const { size, lines, overflows } =
        setSimpleLine(text, rules, used.base) ?? setText(text, rules, used, tools);
      last = {
        text,
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

function placeText(
  { item, missing }: { item: TextItem; missing: string | undefined },
  row: RowContext,
): void {
  if (item.clipped) row.note('TEXT_CLIPPED', 'The text is larger than its box and was cut at the edge.');
  if (missing !== undefined) row.note('GLYPH_MISSING', missing);
  for (const line of item.lines) {
    for (const run of line.runs) if (run.kind === 'glyphs') row.fonts.want(run.face, run.glyphs);
  }
  row.items.push(item);
}
