import type { BarcodeEncoder, BarcodeEncoding } from '#fill/draw/codes/barcode-encoder.ts';
import { leastModule, tooSmall } from '#fill/draw/codes/code-size.ts';
import { blankCode, codeItem, invalidCode, memoised } from '#fill/draw/codes/place-code.ts';
import { compileCodeText } from '#fill/draw/codes/place-code-text.ts';
import { colorOf, frameOf } from '#fill/draw/frame.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import type { TextFaces } from '#fill/draw/text/text-faces.ts';
import type { ColumnReadings } from '#fill/values/column-readings.ts';
import { compileValue } from '#fill/values/resolve-value.ts';
import type { BarcodeOverlay } from './schema.ts';

/**
 * Work per character. Encoding takes up to a third of a millisecond per character (Aztec, Han Xin), far longer than drawing.
 * It is charged in advance, and even if the code is cached, so that the outcome of a row depends on the row alone.
 */
const ENCODING_WORK = 100;

/** What a native barcode field adds to a code overlay. */
export interface FieldCode {
  readonly encodings?: readonly BarcodeEncoding[];
  /** Largest side of a module, in points. */
  readonly module?: number;
}

/** Compiles a barcode. `faces` set the text below the bars. */
export function compileBarcodeOverlay(
  overlay: BarcodeOverlay & FieldCode,
  encoder: BarcodeEncoder,
  readings?: ColumnReadings,
  faces?: TextFaces,
): PlaceOverlay {
  const read = compileValue(overlay.value, overlay.format, readings);
  const frame = frameOf(overlay);
  const color = colorOf(overlay.color);
  const encode = memoised(encoder.encoderFor(overlay));
  const least = leastModule(overlay.symbology);
  const placeText =
    overlay.human_readable === true && faces !== undefined ? compileCodeText(overlay, faces) : null;
  return (cells, row) => {
    const value = read(cells, row);
    if (value.trim() === '') return blankCode(overlay.value);
    row.spend('modules', value.length * ENCODING_WORK);
    const grid = encode(value);
    if ('invalid' in grid) return invalidCode(overlay.value, grid.invalid);
    row.spend('modules', grid.modules);
    const item = codeItem(overlay.id, frame, color, grid, overlay.module);
    row.items.push(item);
    placeText?.(grid, cells, row);
    const small = tooSmall(grid, item.ground.width, frame, least);
    if (small !== null) row.note('CODE_TOO_SMALL', small);
    return null;
  };
}
