import type { BarcodeOverlay } from '#fill/kinds/barcode/schema.ts';
import { colorOf, frameOf } from '../frame.ts';
import type { PlaceOverlay } from '../place-overlay.ts';
import type { TextFaces } from '../text/text-faces.ts';
import { textPlacer } from '../text/text-placer.ts';
import { CODE_FACE, GROUPINGS, isGrouped, LEAST_SIZE, LINE, sizeOf, textShare } from './code-text.ts';
import type { ModuleGrid } from './module-grid.ts';
import { quietZoneOf } from './quiet-zone.ts';

/** Places the text of a code below its bars: in the groups of EAN and UPC, otherwise centred. */
export function compileCodeText(
  overlay: BarcodeOverlay,
  faces: TextFaces,
): (grid: ModuleGrid, ...placing: Parameters<PlaceOverlay>) => void {
  const quiet = quietZoneOf(overlay.symbology).x;
  const size = sizeOf(overlay);
  let shown = '';
  const label = (read: () => string, left: number, width: number): PlaceOverlay =>
    textPlacer(
      read,
      {
        width,
        height: textShare(overlay) * overlay.height,
        size,
        minSize: LEAST_SIZE,
        lineHeight: LINE,
        wrap: false,
        fit: 'shrink',
        align: 'center',
        valign: 'bottom',
      },
      {
        overlayId: overlay.id,
        frame: frameOf(overlay),
        color: colorOf(overlay.color),
        chain: () => faces.chain(CODE_FACE.font, CODE_FACE),
        shaper: faces.shaper,
        indent: left,
      },
    );
  const whole = label(() => shown, 0, overlay.width);
  const grouping = GROUPINGS[overlay.symbology];
  const modules = (grouping?.bars ?? 0) + 2 * quiet;
  const module = overlay.width / modules;
  const groups = (grouping?.groups ?? []).map(([from, to, left, right]) =>
    label(() => shown.slice(from, to), (quiet + left) * module, (right - left) * module),
  );
  return (grid, cells, row) => {
    shown = grid.text ?? '';
    for (const place of isGrouped(overlay.symbology, shown) ? groups : [whole]) place(cells, row);
  };
}
