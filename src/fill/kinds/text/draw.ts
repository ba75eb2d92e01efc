import { colorOf } from '#fill/draw/frame.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import type { TextRules } from '#fill/draw/text/set-text.ts';
import type { TextFaces } from '#fill/draw/text/text-faces.ts';
import { textPlacer } from '#fill/draw/text/text-placer.ts';
import type { ColumnReadings } from '#fill/values/column-readings.ts';
import { compileValue } from '#fill/values/resolve-value.ts';
import { paddedFrame } from './padding.ts';
import type { TextOverlay } from './schema.ts';

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
  const read = compileValue(overlay.value, overlay.format, readings);
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
  return textPlacer(read, rules, {
    overlayId: overlay.id,
    frame,
    color: colorOf(overlay.color),
    chain: () => faces.chain(overlay.font, overlay),
    shaper: faces.shaper,
    own: overlay.sourceFace === undefined ? undefined : faces.source[overlay.sourceFace],
  });
}
