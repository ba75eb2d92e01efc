import { colorOf, frameOf } from '#fill/draw/frame.ts';
import { compilePicture, type Pictures } from '#fill/draw/images/place-picture.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import type { TextFaces } from '#fill/draw/text/text-faces.ts';
import { textPlacer } from '#fill/draw/text/text-placer.ts';
import type { StickerOverlay } from './schema.ts';

export const STICKER_FACE = { font: 'sans', bold: true, italic: false } as const;

/** A box with a point on its left side, which shows where to sign. */
const TAG = '0 .5 m .08 1 l 1 1 l 1 0 l .08 0 l h\n';
const MARGIN = 0.1;
const HEIGHT_SHARE = 0.6;

/** Compiles a sticker: a picture, or a coloured tag with a label. */
export function compileStickerOverlay(
  overlay: StickerOverlay,
  pictures: Pictures,
  faces: TextFaces,
): PlaceOverlay {
  if (overlay.value !== undefined) return compilePicture(overlay, overlay.value, pictures);
  const frame = frameOf(overlay);
  const color = colorOf(overlay.color);
  const light = color.r * 299 + color.g * 587 + color.b * 114 > 128_000;
  const shade = light ? 0 : 255;
  const label = textPlacer(
    () => overlay.label,
    {
      width: overlay.width * (1 - MARGIN),
      height: overlay.height,
      size: Math.max(1, overlay.height * HEIGHT_SHARE),
      minSize: 1,
      lineHeight: 1.2,
      wrap: false,
      fit: 'shrink',
      align: 'center',
      valign: 'middle',
    },
    {
      overlayId: overlay.id,
      frame,
      color: { r: shade, g: shade, b: shade },
      chain: () => faces.chain(STICKER_FACE.font, STICKER_FACE),
      shaper: faces.shaper,
      indent: overlay.width * MARGIN * 0.75,
    },
  );
  return (cells, row) => {
    const { width, height } = overlay;
    row.items.push({
      kind: 'shape',
      overlayId: overlay.id,
      frame,
      color,
      path: TAG,
      x: 0,
      y: 0,
      width,
      height,
    });
    return label(cells, row);
  };
}
