import type { BaseFace } from '#fill/fonts/base-face.ts';
import {
  BUILT_IN_FAMILIES,
  FALLBACK_FAMILIES,
  type FaceStyle,
  fileFor,
  hasStyle,
} from '#fill/fonts/bundled-faces.ts';
import type { FaceFiles } from '#fill/fonts/face-files.ts';
import type { FaceSource } from '#fill/fonts/font-kit.ts';
import type { Shaper } from '#fill/fonts/shaper.ts';
import type { LayoutFont } from '#fill/package/layout-schema.ts';
import type { FaceChain } from './shaped-paragraph.ts';

/** The file for an overlay's `font`, `bold` and `italic`. */
export function faceIdOf(font: string, style: FaceStyle, own: readonly LayoutFont[]): string {
  return fileFor(familyOf(font, own), style);
}

function familyOf(font: string, own: readonly LayoutFont[]): FaceFiles {
  if (font === 'sans' || font === 'serif' || font === 'mono') return BUILT_IN_FAMILIES[font];
  const found = own.find(({ name }) => name === font);
  if (found === undefined) throw new Error('bug: the layout schema accepted an unknown font');
  return found;
}

/** The faces of one layout. */
export interface TextFaces {
  readonly shaper: Shaper;
  chain(font: string, style: FaceStyle): FaceChain;
  /** Fonts of the source, by index. */
  readonly source: readonly BaseFace[];
}

export function textFaces(
  shaper: Shaper,
  source: FaceSource,
  bases: ReadonlyMap<string, BaseFace>,
  own: readonly LayoutFont[],
  sourceFaces: readonly BaseFace[] = [],
): TextFaces {
  const fallbacks = new Map<string, readonly string[]>();
  const nearest = new Map<string, ReadonlySet<string>>();
  return {
    shaper,
    source: sourceFaces,
    chain: (font, style) => {
      const id = faceIdOf(font, style, own);
      const base = bases.get(id);
      if (base === undefined) throw new Error('bug: the base lacks a face its layout uses');
      const key = `${style.bold} ${style.italic}`;
      let rest = fallbacks.get(key);
      if (rest === undefined) {
        // The layout's own fonts come last, so that they do not change characters that the bundled faces have.
        rest = [...FALLBACK_FAMILIES, ...own].map((family) => fileFor(family, style));
        fallbacks.set(key, rest);
      }
      const ids = [id, ...rest.filter((other) => other !== id)];
      return {
        base,
        isNearest: (face) => {
          let known = nearest.get(key);
          if (known === undefined) {
            const families = [...Object.values(BUILT_IN_FAMILIES), ...FALLBACK_FAMILIES, ...own];
            known = new Set(
              families.filter((family) => !hasStyle(family, style)).map((family) => fileFor(family, style)),
            );
            nearest.set(key, known);
          }
          return known.has(face.id);
        },
        face: (place) => {
          for (let wanted = ids[place]; wanted !== undefined; wanted = ids[place]) {
            const face = source(wanted);
            if (face !== undefined) return face;
            ids.splice(place, 1); // not installed: later characters need not try it
          }
          return undefined;
        },
      };
    },
  };
}
