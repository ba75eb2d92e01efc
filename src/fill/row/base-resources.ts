import { type BaseFaceState, embedBaseFace } from '../fonts/base-face.ts';
import { type FontKit, faceSource } from '../fonts/font-kit.ts';
import { FontInvalid } from '../fonts/sfnt.ts';
import type { Layout } from '../package/layout-schema.ts';
import type { FillOptions } from '../rows/fill-options.ts';
import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import { faceIdOf } from './text/text-faces.ts';

/**
 * What goes into the base once: every face the layout uses. The state is JSON; with it a drawer can be made again
 * from a cached base without opening a font.
 */
export interface BaseResourceState {
  readonly faces: readonly BaseFaceState[];
}

export interface BaseResources {
  readonly objects: readonly PdfObject[];
  readonly state: BaseResourceState;
}

/** Throws FontInvalid when one of the package's own fonts cannot be used. */
export function baseResources(
  layout: Layout,
  assets: ReadonlyMap<string, Uint8Array>,
  options: Pick<FillOptions, 'includeStickers'>,
  kit: FontKit,
  numbers: ObjectNumbers,
): BaseResources {
  const source = faceSource(kit, assets);
  const objects: PdfObject[] = [];
  const faces: BaseFaceState[] = [];
  for (const id of facesUsed(layout, options)) {
    const face = source(id);
    if (face === undefined) throw new FontInvalid(`the font ${id} is not installed`);
    const embedded = embedBaseFace(face, kit.subsetter, numbers);
    objects.push(...embedded.objects);
    faces.push(embedded.state);
  }
  return { objects, state: { faces } };
}

/** In order of first use; the order names the faces (F0, F1, …). */
function facesUsed(layout: Layout, _options: Pick<FillOptions, 'includeStickers'>): readonly string[] {
  const ids = new Set<string>();
  for (const overlay of layout.overlays) {
    if (overlay.type === 'text' || overlay.type === 'date')
      ids.add(faceIdOf(overlay.font, overlay, layout.fonts));
  }
  return [...ids];
}
