import type { FontLibrary } from './font-library.ts';
import { FontInvalid, type Sfnt } from './sfnt.ts';

/**
 * Subsets a font to the glyphs that are drawn, with harfbuzz's subsetter. harfbuzzjs ships it as a bare
 * WebAssembly module without imports; the calls below are harfbuzz's public C functions (hb-subset.h). The same
 * module runs in Node and in browsers, so the subset bytes are the same everywhere.
 *
 * Glyphs are renumbered in ascending order of their old ids, starting with .notdef at 0. Tables a PDF does not use
 * (layout, names, hinting) are dropped: ISO 32000-2 §9.9 requires only outlines and metrics.
 */
export interface FontSubset {
  readonly file: Uint8Array;
  /** New glyph id by old glyph id. */
  readonly glyphs: ReadonlyMap<number, number>;
}

/** The part of the WebAssembly JavaScript interface used here; neither Node's types nor ES2024's have it. */
interface WebAssemblyGlobal {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

interface SubsetterExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  free(pointer: number): void;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_preprocess(face: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

const MEMORY_MODE_WRITABLE = 2;
const SETS_DROP_TABLE_TAG = 3;
const FLAGS_NO_HINTING = 0x01;
/** Without it, the replacement glyph would be blank. */
const FLAGS_NOTDEF_OUTLINE = 0x40;
const DROPPED_TABLES =
  'BASE DSIG FFTM GDEF GPOS GSUB HVAR JSTF LTSH MATH MVAR OS/2 PCLT STAT VDMX VORG VVAR avar cmap cvar fvar gasp gvar hdmx kern meta name post vhea vmtx'.split(
    ' ',
  );

export class Subsetter {
  readonly #library: FontLibrary;
  readonly #cutters = new WeakMap<Sfnt, FontCutter>();
  #module: object | undefined;

  constructor(library: FontLibrary) {
    this.#library = library;
  }

  subset(font: Sfnt, wanted: Iterable<number>): FontSubset {
    const kept = new Set(wanted);
    kept.add(0);
    font.closeOverComponents(kept);
    const file = this.#cutter(font).cut(kept);
    const glyphs = new Map([...kept].sort((a, b) => a - b).map((glyph, index) => [glyph, index] as const));
    return { file, glyphs };
  }

  /**
   * Each font has its own instance. The module's memory is fixed at 64 MB, which is too small for two large fonts with
   * harfbuzz's prepared data, and a subset must never depend on which fonts were subset before. Untouched pages cost
   * nothing, and the instance is collected with its font.
   */
  #cutter(font: Sfnt): FontCutter {
    let cutter = this.#cutters.get(font);
    if (cutter === undefined) {
      const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;
      this.#module ??= new Module(this.#library.subsetterWasm());
      cutter = new FontCutter(new Instance(this.#module, {}).exports as SubsetterExports, font.bytes);
      this.#cutters.set(font, cutter);
    }
    return cutter;
  }
}

/**
 * Preprocessing a face makes each subset about five times faster (0.6 → 0.13 ms on Arimo, 20 → 0.4 ms on a Han font of
 * 8 MB) and takes as long as 30 to 100 subsets (20 ms and 1.7 s). It pays off after about one subset per this many
 * bytes, so the few subsets of a base or a preview do not wait for it. The bytes of the subset are the same.
 */
const BYTES_PER_UNPREPARED_CUT = 80_000;

class FontCutter {
  readonly #hb: SubsetterExports;
  readonly #size: number;
  #face: number;
  #cuts = 0;
  #prepared = false;

  constructor(hb: SubsetterExports, font: Uint8Array) {
    hb._initialize();
    const data = hb.malloc(font.length);
    if (data === 0) throw new FontInvalid('the font is too large');
    new Uint8Array(hb.memory.buffer).set(font, data);
    const blob = hb.hb_blob_create(data, font.length, MEMORY_MODE_WRITABLE, 0, 0);
    this.#face = hb.hb_face_create(blob, 0);
    this.#hb = hb;
    this.#size = font.length;
  }

  cut(kept: ReadonlySet<number>): Uint8Array {
    this.#prepareWhenItPays();
    const hb = this.#hb;
    const input = hb.hb_subset_input_create_or_fail();
    if (input === 0) throw new Error('bug: harfbuzz has no memory for a subset');
    const glyphSet = hb.hb_subset_input_glyph_set(input);
    for (const glyph of kept) hb.hb_set_add(glyphSet, glyph);
    const dropped = hb.hb_subset_input_set(input, SETS_DROP_TABLE_TAG);
    for (const tag of DROPPED_TABLES) hb.hb_set_add(dropped, tagNumber(tag));
    hb.hb_subset_input_set_flags(input, FLAGS_NO_HINTING | FLAGS_NOTDEF_OUTLINE);
    const result = hb.hb_subset_or_fail(this.#face, input);
    hb.hb_subset_input_destroy(input);
    if (result === 0) throw new FontInvalid('the font cannot be subset');
    const blob = hb.hb_face_reference_blob(result);
    const start = hb.hb_blob_get_data(blob, 0);
    const file = new Uint8Array(hb.memory.buffer, start, hb.hb_blob_get_length(blob)).slice();
    hb.hb_blob_destroy(blob);
    hb.hb_face_destroy(result);
    if (glyphCountOf(new DataView(file.buffer)) !== kept.size)
      throw new FontInvalid('the font has glyphs beyond those it declares');
    return file;
  }

  #prepareWhenItPays(): void {
    this.#cuts += 1;
    if (this.#prepared || this.#cuts * BYTES_PER_UNPREPARED_CUT <= this.#size) return;
    const prepared = this.#hb.hb_subset_preprocess(this.#face);
    if (prepared !== 0) this.#face = prepared;
    this.#prepared = true;
  }
}

function tagNumber(tag: string): number {
  return (tag.charCodeAt(0) << 24) | (tag.charCodeAt(1) << 16) | (tag.charCodeAt(2) << 8) | tag.charCodeAt(3);
}

function glyphCountOf(file: DataView): number {
  for (let record = 12, end = 12 + file.getUint16(4) * 16; record < end; record += 16) {
    if (file.getUint32(record) === tagNumber('maxp')) return file.getUint16(file.getUint32(record + 8) + 4);
  }
  return 0;
}
