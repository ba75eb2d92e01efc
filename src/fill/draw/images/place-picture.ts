import type { ValueSource } from '#fill/package/value-schema.ts';
import { compileValue } from '#fill/values/resolve-value.ts';
import type { Frame } from '../display-list.ts';
import { frameOf } from '../frame.ts';
import type { PlaceOverlay, RowContext, Skip } from '../place-overlay.ts';
import { fitPicture, type PictureFit } from './fit-picture.ts';
import type { Orientation } from './orientation.ts';
import type { FindPicture } from './picture-value.ts';

/** A picture in the base, which every row shows. */
interface SharedPicture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
}

export interface Pictures {
  readonly find: FindPicture;
  /** Returns whether a value can only be a picture. */
  readonly looksLike: (value: string) => boolean;
  /** By static value. */
  readonly shared: ReadonlyMap<string, SharedPicture>;
}

type PictureOverlay = Frame & PictureFit & { readonly id: string };

/** Compiles a picture overlay. A blank value draws nothing, as for text. A value that is not a picture skips the overlay. */
export function compilePicture(
  overlay: PictureOverlay,
  source: ValueSource,
  pictures: Pictures,
): PlaceOverlay {
  const read = compileValue(source);
  return (cells, row) => {
    const value = read(cells, row).trim();
    return value === '' ? null : placePicture(overlay, value, pictures, row);
  };
}

export function placePicture(
  overlay: PictureOverlay,
  value: string,
  { find, shared }: Pictures,
  row: RowContext,
): Skip | null {
  const known = shared.get(value);
  if (known !== undefined) {
    row.spend('pixels', known.width * known.height);
    row.items.push(fitPicture(overlay.id, frameOf(overlay), known, known.name, overlay));
    return null;
  }
  const image = find(value, (pixels) => row.spend('pixels', pixels));
  if ('code' in image) return { code: image.code, message: image.message };
  row.items.push(fitPicture(overlay.id, frameOf(overlay), image, row.images.use(image), overlay));
  return null;
}
