import type { BarcodeOverlay } from '../../package/layout-schema.ts';
import { compileValue } from '../../rows/resolve-value.ts';
import type { BarcodeEncoder } from '../codes/barcode-encoder.ts';
import { blankCode, codeItem, invalidCode, memoised } from '../codes/place-code.ts';
import { colorOf, frameOf } from './frame.ts';
import type { PlaceOverlay } from './place-overlay.ts';

export function compileBarcodeOverlay(overlay: BarcodeOverlay, encoder: BarcodeEncoder): PlaceOverlay {
  const read = compileValue(overlay.value, overlay.format);
  const frame = frameOf(overlay);
  const color = colorOf(overlay.color);
  const encode = memoised(encoder.encoderFor(overlay.symbology));
  return (cells, row) => {
    const value = read(cells);
    if (value.trim() === '') return blankCode(overlay.value);
    const grid = encode(value);
    if ('invalid' in grid) return invalidCode(overlay.value, grid.invalid);
    row.spend('modules', grid.modules);
    row.items.push(codeItem(overlay.id, frame, color, grid));
    return null;
  };
}
