import subsetterUrl from 'harfbuzzjs/dist/harfbuzz-subset.wasm?url';
import { createFontKit, type FontKit } from '#fill/fonts/font-kit.ts';
import type { FontLibrary } from '#fill/fonts/font-library.ts';

/**
 * Fonts from our own server, each fetched when a row first contains its script. The engine needs a font in the middle of a
 * row and cannot wait, so the request is synchronous; in a worker it does not block the page.
 */
const library: FontLibrary = {
  face: (id) => (installed().has(id) ? fetchNow(`${FONTS}${id}`) : undefined),
  subsetterWasm: () => fetchNow(subsetterUrl),
};

/** Vite puts the worker into `assets/`, beside which the server serves its fonts. */
const FONTS = new URL('../fonts/', self.location.href).href;
let known: ReadonlySet<string> | null = null;

/** The server's faces; those of font packages that it lacks are missing here too. */
function installed(): ReadonlySet<string> {
  known ??= new Set(JSON.parse(new TextDecoder().decode(fetchNow(`${FONTS}list.json`))) as string[]);
  return known;
}

function fetchNow(url: string): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`A font could not be loaded (${request.status}).`);
  return new Uint8Array(request.response as ArrayBuffer);
}

let kit: Promise<FontKit> | null = null;

export function engineFonts(): Promise<FontKit> {
  kit ??= createFontKit(library);
  return kit;
}
