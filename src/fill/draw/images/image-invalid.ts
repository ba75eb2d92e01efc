/** Why a picture cannot be drawn; the text goes into the row's warning. */
export class ImageInvalid extends Error {}

/** One picture may have at most as many pixels as a whole row. */
const MAX_IMAGE_PIXELS = 64_000_000;

export function checkedSize(
  width: number,
  height: number,
): { readonly width: number; readonly height: number } {
  if (width === 0 || height === 0) throw new ImageInvalid('the picture is empty');
  if (width * height > MAX_IMAGE_PIXELS) throw new ImageInvalid('the picture has too many pixels');
  return { width, height };
}
