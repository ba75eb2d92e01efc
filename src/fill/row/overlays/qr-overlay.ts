import type { QrOverlay } from '../../package/layout-schema.ts';
import { compileValue } from '../../rows/resolve-value.ts';
import { blankCode, codeItem, invalidCode, memoised } from '../codes/place-code.ts';
import { qrGrid } from '../codes/qr-code.ts';
import { colorOf, frameOf } from './frame.ts';
import type { PlaceOverlay } from './place-overlay.ts';

export function compileQrOverlay(overlay: QrOverlay): PlaceOverlay {
  const read = compileValue(overlay.value, overlay.format);
  const frame = frameOf(overlay);
  const color = colorOf(overlay.color);
  const encode = memoised(
    (value) =>
      qrGrid(value, overlay.ecc) ?? { invalid: `it is too long for a QR code of level ${overlay.ecc}.` },
  );
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
