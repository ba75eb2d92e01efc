import type { FillOptions } from '../fill-options.ts';
import { type BaseFaceState, embedBaseFace } from '../fonts/base-face.ts';
import { type FontKit, faceSource } from '../fonts/font-kit.ts';
import { FontInvalid } from '../fonts/sfnt.ts';
import type { SourceFaceState } from '../fonts/source-face.ts';
import { isDrawn, isPicture, kindOf } from '../kinds/kind-of.ts';
import type { Layout } from '../package/layout-schema.ts';
import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import { NO_JOB_ASSETS } from './images/job-assets.ts';
import type { Orientation } from './images/orientation.ts';
import { pictureFinder } from './images/picture-value.ts';
import type { ImageCodec } from './images/read-image.ts';
import { faceIdOf } from './text/text-faces.ts';

/**
 * What the base contains for all rows: every face the layout uses, and the pictures that every row shows. The state is
 * JSON. It is enough to create a drawer for a cached base without opening a font or a picture.
 */
export interface BaseResourceState {
  readonly faces: readonly BaseFaceState[];
  readonly pictures: readonly BasePictureState[];
  /** Fonts of the source that native fields are set in. */
  readonly source?: readonly SourceFaceState[];
}

interface BasePictureState {
  /** The static value of the overlay. */
  readonly value: string;
  readonly num: number;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
}

export interface BaseResources {
  readonly objects: readonly PdfObject[];
  readonly state: BaseResourceState;
}

/** Embeds the faces and pictures. Throws FontInvalid if one of the package's own fonts cannot be used. */
export function baseResources(
  layout: Layout,
  assets: ReadonlyMap<string, Uint8Array>,
  options: Pick<FillOptions, 'includeStickers'>,
  kit: FontKit,
  codec: ImageCodec,
  numbers: ObjectNumbers,
): BaseResources {
  const source = faceSource(kit, assets);
  const objects: PdfObject[] = [];
  const faces: BaseFaceState[] = [];
  for (const id of facesUsed(layout, assets, options)) {
    const face = source(id);
    if (face === undefined) throw new FontInvalid(`the font ${id} is not installed`);
    const embedded = embedBaseFace(face, kit.subsetter, numbers);
    objects.push(...embedded.objects);
    faces.push(embedded.state);
  }
  // Open every declared font: a row may need it as a fallback, and a bad file must refuse the package, not fail a row.
  for (const font of layout.fonts) {
    for (const file of [font.regular, font.bold, font.italic, font.bold_italic]) {
      if (file !== undefined) source(file);
    }
  }
  const pictures: BasePictureState[] = [];
  // A base serves many jobs, so it contains only pictures of the package.
  const find = pictureFinder({ job: NO_JOB_ASSETS, assets, codec });
  for (const value of staticPictures(layout, options)) {
    // Each row is charged when it draws the picture.
    const image = find(value, () => undefined);
    if ('code' in image) continue; // rows look for it among the job's pictures, or report it
    const { num, objects: written } = image.write(numbers);
    objects.push(...written);
    const { width, height, orientation } = image;
    pictures.push({ value, num, width, height, orientation });
  }
  return { objects, state: { faces, pictures } };
}

function staticPictures(layout: Layout, options: Pick<FillOptions, 'includeStickers'>): ReadonlySet<string> {
  const values = new Set<string>();
  for (const overlay of layout.overlays) {
    if (!isPicture(overlay) || !isDrawn(overlay, options)) continue;
    if (overlay.value === undefined || !('static' in overlay.value)) continue;
    const value = overlay.value.static.trim();
    if (value !== '') values.add(value);
  }
  return values;
}

/** The faces in order of first use. The order determines their names (F0, F1, …). */
function facesUsed(
  layout: Layout,
  assets: ReadonlyMap<string, Uint8Array>,
  options: Pick<FillOptions, 'includeStickers'>,
): readonly string[] {
  const ids = new Set<string>();
  for (const overlay of layout.overlays) {
    if (!isDrawn(overlay, options)) continue;
    const faces = kindOf(overlay).faces?.(overlay, assets) ?? [];
    for (const face of faces) ids.add(faceIdOf(face.font, face, layout.fonts));
  }
  return [...ids];
}
