import type { DrawTools } from '../draw/draw-tools.ts';
import type { PlaceOverlay } from '../draw/place-overlay.ts';
import type { FaceStyle } from '../fonts/bundled-faces.ts';
import type { ValueSource } from '../package/value-schema.ts';

/**
 * An overlay kind. Its folder holds four files: `schema.ts` (what a layout may say), `traits.ts` (facts and defaults that the
 * editor also uses), `draw.ts` (its items on the page) and `kind.ts` (this object). A line in `schemas.ts` and one in
 * `registry.ts` add it to the engine; everything else is derived. Only `schema.ts` imports the schema library: threads that
 * draw rows do not need it, and loading it took a third of their start.
 */
export interface OverlayKind<Kind extends AnyOverlay = AnyOverlay> {
  readonly type: string;
  readonly traits: KindTraits;
  /** Prepares the overlay for many rows: everything that does not depend on the row happens here. */
  compile(overlay: Kind, tools: DrawTools): PlaceOverlay | Promise<PlaceOverlay>;
  /** Faces that the base must contain for this overlay. A kind without text leaves it out. */
  faces?(overlay: Kind, assets: Assets): readonly Face[];
  /** A mistake in a static value that every row would report. `layout seal` warns of it. */
  staticProblem?(overlay: Kind, assets: Assets): Problem | Promise<Problem>;
  /** A mistake in the members of the overlay that the schema cannot express. `layout seal` warns of it. */
  memberProblem?(overlay: Kind): MemberProblem | undefined;
  /** Mistakes that only the overlays of this kind together show, with the id of the overlay to change. */
  togetherProblems?(overlays: readonly Kind[]): readonly (MemberProblem & { readonly id: string })[];
}

export interface MemberProblem {
  readonly member: string;
  readonly message: string;
}

export interface KindTraits {
  /** The value is set as text in the overlay's own `font`. */
  readonly isText?: true;
  /** The value, or part of it, can be read on the page. */
  readonly isReadable?: true;
  /** A symbol for scanners: it needs its quiet zone and modules of a minimum size. */
  readonly isCode?: true;
  /** The value may name or contain a picture. */
  readonly isPicture?: true;
  /** Draws all rows of its document, not one. Its columns have the values. */
  readonly isTable?: true;
  /** Drawn only in runs that include stickers. A sticker lies over other content, is not part of the document's structure and needs no value. */
  readonly isSticker?: true;
  /** The first overlay of this kind in the editor. */
  readonly defaults: object;
}

/** An overlay without its place: what a kind's defaults must contain. */
export type Unplaced<Kind> = Omit<Kind, 'id' | 'page' | 'x' | 'y'>;

interface AnyOverlay {
  readonly id: string;
  readonly page: number;
  readonly value?: ValueSource | undefined;
}
type Assets = ReadonlyMap<string, Uint8Array>;
type Face = FaceStyle & { readonly font: string };
type Problem = string | undefined;
