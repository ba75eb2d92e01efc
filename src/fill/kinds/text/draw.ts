import { colorOf } from '#fill/draw/frame.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import type { TextRules } from '#fill/draw/text/set-text.ts';
import { styledTextPlacer } from '#fill/draw/text/styled-text-placer.ts';
import type { TextFaces } from '#fill/draw/text/text-faces.ts';
import { textPlacer } from '#fill/draw/text/text-placer.ts';
import type { ColumnReadings } from '#fill/values/column-readings.ts';
import { compileParts, compileValue } from '#fill/values/resolve-value.ts';
import { paddedFrame } from './padding.ts';
import type { TextOverlay } from './schema.ts';
import { isMarked, styledParts } from './styled-parts.ts';

/** What a native form field adds to a text overlay. */
export interface FieldText {
  /** Index of the field's own font among the fonts of the source. Used for texts that it can set completely. */
  readonly sourceFace?: number;
}

export function compileTextOverlay(
  overlay: Omit<TextOverlay, 'type'> & FieldText,
  faces: TextFaces,
  readings?: ColumnReadings,
): PlaceOverlay {
  const frame = paddedFrame(overlay);
  const rules: TextRules = {
    width: frame.width,
    height: frame.height,
    size: overlay.size,
    minSize: overlay.min_size,
    lineHeight: overlay.line_height,
    cells: overlay.comb,
    wrap: overlay.wrap,
    fit: overlay.fit,
    align: overlay.align,
    valign: overlay.valign,
  };
  const look = { overlayId: overlay.id, frame, color: colorOf(overlay.color), shaper: faces.shaper };
  if (isMarked(overlay)) {
    const parts = styledParts(overlay);
    return styledTextPlacer(compileParts(parts, overlay.format, readings), rules, {
      ...look,
      chainOf: (style) => faces.chain(overlay.font, style),
      styles: parts.map(({ style }) => style),
      own: { bold: overlay.bold, italic: overlay.italic, underline: false },
    });
  }
  return textPlacer(compileValue(overlay.value, overlay.format, readings), rules, {
    ...look,
    chain: () => faces.chain(overlay.font, overlay),
    own: overlay.sourceFace === undefined ? undefined : faces.source[overlay.sourceFace],
  });
}
