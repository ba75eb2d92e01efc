/**
 * Provides font files to the engine, which does no I/O itself. The server's implementation reads the bundled packages
 * (src/fill/node/bundled-fonts.ts). A browser's implementation returns files that it fetched earlier.
 *
 * Both calls are synchronous, because they occur while a row is drawn: a fallback face is loaded only when a row
 * contains its script, and most runs need none.
 */
export interface FontLibrary {
  /** Returns the TrueType or OpenType file named by `id` (bundled-faces.ts), or undefined if it is not installed. */
  face(id: string): Uint8Array | undefined;
  /** harfbuzz's subsetter (`harfbuzzjs/dist/harfbuzz-subset.wasm`). */
  subsetterWasm(): Uint8Array;
}
