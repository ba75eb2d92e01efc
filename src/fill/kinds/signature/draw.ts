import { frameOf } from '#fill/draw/frame.ts';
import { type Pictures, placePicture } from '#fill/draw/images/place-picture.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import type { TextFaces } from '#fill/draw/text/text-faces.ts';
import { textPlacer } from '#fill/draw/text/text-placer.ts';
import { compileValue } from '#fill/values/resolve-value.ts';
import type { SignatureOverlay } from './schema.ts';

/** A typed name is set in the italic serif, as large as the box allows. */
export const SIGNATURE_FACE = { font: 'serif', bold: false, italic: true } as const;

const LEAST_SIZE = 4;
const HEIGHT_SHARE = 0.7;

/** Compiles a signature: a picture, or a typed name. Neither is a digital signature. */
export function compileSignatureOverlay(
  overlay: SignatureOverlay,
  pictures: Pictures,
  faces: TextFaces,
): PlaceOverlay {
  const read = compileValue(overlay.value);
  const size = Math.max(LEAST_SIZE, overlay.height * HEIGHT_SHARE);
  const name = textPlacer(
    (cells, row) => read(cells, row).trim(),
    {
      width: overlay.width,
      height: overlay.height,
      size,
      minSize: LEAST_SIZE,
      lineHeight: 1.2,
      wrap: false,
      fit: 'shrink',
      align: overlay.align,
      valign: overlay.valign,
    },
    {
      overlayId: overlay.id,
      frame: frameOf(overlay),
      color: { r: 0, g: 0, b: 0 },
      chain: () => faces.chain(SIGNATURE_FACE.font, SIGNATURE_FACE),
      shaper: faces.shaper,
    },
  );
  return (cells, row) => {
    const value = read(cells, row).trim();
    if (value === '') return null;
    return pictures.looksLike(value) ? placePicture(overlay, value, pictures, row) : name(cells, row);
  };
}
