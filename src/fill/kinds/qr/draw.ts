import { LEAST_MODULE, tooSmall } from '#fill/draw/codes/code-size.ts';
import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import { blankCode, codeItem, invalidCode } from '#fill/draw/codes/place-code.ts';
import { qrGrid } from '#fill/draw/codes/qr-code.ts';
import { colorOf, frameOf } from '#fill/draw/frame.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import type { ColumnReadings } from '#fill/values/column-readings.ts';
import { compileValue } from '#fill/values/resolve-value.ts';
import type { FieldCode } from '../barcode/draw.ts';
import type { QrOverlay } from './schema.ts';

export function compileQrOverlay(
  overlay: QrOverlay & Pick<FieldCode, 'module'>,
  readings?: ColumnReadings,
): PlaceOverlay {
  const read = compileValue(overlay.value, overlay.format, readings);
  const frame = frameOf(overlay);
  const color = colorOf(overlay.color);
  // Only the last code is cached: most values never repeat, and a larger cache would slow them down.
  let last = '';
  let grid: ModuleGrid | undefined;
  return (cells, row) => {
    const value = read(cells, row);
    if (value.trim() === '') return blankCode(overlay.value);
    if (value !== last) {
      grid = qrGrid(value, overlay.ecc);
      last = value;
    }
    if (grid === undefined) {
      return invalidCode(overlay.value, `it is too long for a QR code of level ${overlay.ecc}.`);
    }
    row.spend('modules', grid.modules);
    const item = codeItem(overlay.id, frame, color, grid, overlay.module);
    row.items.push(item);
    if (item.ground.width < LEAST_MODULE * grid.width) {
      const small = tooSmall(grid, item.ground.width, frame, LEAST_MODULE);
      if (small !== null) row.note('CODE_TOO_SMALL', small);
    }
    return null;
  };
}
