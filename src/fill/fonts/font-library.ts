/**
 * Where font files come from. The engine is pure: bytes enter through this port. On the server an implementation
 * reads the bundled packages (src/fill/node/bundled-fonts.ts); a browser answers from files fetched beforehand.
 *
 * Both calls are synchronous, because they are made in the middle of a row: a fallback face is wanted only when a
 * row holds its script, and most runs never want one.
 */
export interface FontLibrary {
  /** The whole TrueType or OpenType file named by `id` (bundled-faces.ts), or undefined when it is not installed. */
  face(id: string): Uint8Array | undefined;
  /** harfbuzz's subsetter (`harfbuzzjs/dist/harfbuzz-subset.wasm`). */
  subsetterWasm(): Uint8Array;
}
