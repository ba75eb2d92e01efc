import type * as HarfBuzz from 'harfbuzzjs';
import type { Face } from './face.ts';
import { thousandths } from './pdf-font.ts';

/**
 * Shapes words of complex scripts with harfbuzz: which glyphs, and at which positions. harfbuzz is a WebAssembly build,
 * so the result is the same in Node and in browsers. Results are cached per word, because names and places repeat.
 */
export interface ShapedGlyph {
  readonly glyph: number;
  /** The text of this glyph when the page is searched. The texts of a word's glyphs, in drawing order, form the word. */
  readonly text: string;
  /** Index, in the shaped word, of the cluster this glyph belongs to. */
  readonly cluster: number;
  /** Thousandths of the em. */
  readonly advance: number;
  readonly dx: number;
  readonly dy: number;
  /**
   * Set on the first of several glyphs that together represent fewer characters (Thai sara am): those characters and
   * the number of glyphs. Readers that support /ActualText (ISO 32000-2 §14.9.4) then need no placeholder.
   */
  readonly actual?: { readonly text: string; readonly glyphs: number };
  /** Taken from the row's own font even if the base has it, so that a run stays in one font. */
  readonly travels?: boolean;
}

const MEMO_WORDS = 20_000;
/** Readers show nothing for it. For an empty mapping, some readers show a guess instead. */
const ZERO_WIDTH_SPACE = '\u200b';

export class Shaper {
  readonly #hb: typeof HarfBuzz;
  readonly #fonts = new WeakMap<Face, HarfBuzz.Font>();
  /** Keyed by face, not by id: two packages may each have an `assets/brand.ttf`. */
  readonly #memos = new WeakMap<Face, Map<string, readonly ShapedGlyph[]>>();

  constructor(hb: typeof HarfBuzz) {
    this.#hb = hb;
  }

  /** `script` is an ISO 15924 tag; if it is undefined, harfbuzz detects the script. Glyphs are in visual order. */
  shape(face: Face, word: string, rtl: boolean, script: string | undefined): readonly ShapedGlyph[] {
    let memo = this.#memos.get(face);
    if (memo === undefined) {
      memo = new Map();
      this.#memos.set(face, memo);
    }
    const key = `${rtl ? 'r' : 'l'}${script ?? ''}\0${word}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const shaped = this.#shape(face, word, rtl, script);
    if (memo.size >= MEMO_WORDS) memo.clear();
    memo.set(key, shaped);
    return shaped;
  }

  #shape(face: Face, word: string, rtl: boolean, script: string | undefined): readonly ShapedGlyph[] {
    const hb = this.#hb;
    const buffer = new hb.Buffer();
    buffer.addText(word);
    buffer.setFlags(hb.BufferFlag.REMOVE_DEFAULT_IGNORABLES | hb.BufferFlag.DO_NOT_INSERT_DOTTED_CIRCLE);
    buffer.setClusterLevel(hb.ClusterLevel.MONOTONE_CHARACTERS);
    buffer.setLanguage('und');
    if (script !== undefined) buffer.setScript(script);
    buffer.setDirection(rtl ? hb.Direction.RTL : hb.Direction.LTR);
    buffer.guessSegmentProperties();
    hb.shape(this.#font(face), buffer);
    const infos = buffer.getGlyphInfos();
    const positions = buffer.getGlyphPositions();
    const texts = clusterTexts(word, infos, rtl);
    const glyphs = infos.map(({ codepoint, cluster }, index): ShapedGlyph => {
      const position = positions[index];
      const actual = rtl ? undefined : crowdedCluster(texts, infos, index);
      return {
        ...(actual === undefined ? {} : { actual }),
        glyph: codepoint,
        text: readingOrder(texts[index] ?? ZERO_WIDTH_SPACE, rtl),
        cluster,
        advance: thousandths(face.font, position?.xAdvance ?? 0),
        dx: thousandths(face.font, position?.xOffset ?? 0),
        dy: thousandths(face.font, position?.yOffset ?? 0),
      };
    });
    return rtl ? glyphs : glyphs.map((glyph, index) => overBase(face, glyphs, glyph, index));
  }

  #font(face: Face): HarfBuzz.Font {
    const known = this.#fonts.get(face);
    if (known !== undefined) return known;
    const font = new this.#hb.Font(new this.#hb.Face(new this.#hb.Blob(face.font.bytes)));
    this.#fonts.set(face, font);
    return font;
  }
}

/**
 * Distributes a cluster's characters over its glyphs so that reading the glyphs in logical order gives the text: one
 * character each, and the rest for the last glyph. Readers use only the joined text, so it does not matter which glyph
 * of a cluster has which character.
 */
function clusterTexts(word: string, infos: readonly { cluster: number }[], rtl: boolean): string[] {
  const texts = new Array<string>(infos.length).fill(ZERO_WIDTH_SPACE);
  const logical = infos.map((_, index) => (rtl ? infos.length - 1 - index : index));
  let from = 0;
  while (from < logical.length) {
    const start = infos[logical[from] ?? 0]?.cluster ?? 0;
    let to = from + 1;
    while (to < logical.length && infos[logical[to] ?? 0]?.cluster === start) to += 1;
    const end = to < logical.length ? (infos[logical[to] ?? 0]?.cluster ?? word.length) : word.length;
    const characters = [...word.slice(start, end)];
    for (let index = from; index < to; index += 1) {
      const last = index === to - 1;
      const text = last ? characters.slice(index - from).join('') : (characters[index - from] ?? '');
      texts[logical[index] ?? 0] = text === '' ? ZERO_WIDTH_SPACE : text;
    }
    from = to;
  }
  return texts;
}

/**
 * Readers (poppler, pdf.js, PDFium) reverse a right-to-left run character by character, including the characters of one
 * ligature. The text of a ligature such as lam-alef is therefore stored in reverse.
 */
function readingOrder(text: string, rtl: boolean): string {
  return rtl && text.length > 1 ? [...text].reverse().join('') : text;
}

/** Thousandths of the em; half the width of a narrow letter. */
const CLEARLY_LEFT = -130;

/**
 * Centres a mark over its letter if the font has no anchor for it, because it would be at the letter's right edge or
 * beyond. Marks drawn clearly left of their origin are already in position.
 */
function overBase(
  face: Face,
  glyphs: readonly ShapedGlyph[],
  glyph: ShapedGlyph,
  index: number,
): ShapedGlyph {
  if (index === 0 || glyph.advance !== 0 || glyph.dx !== 0 || glyph.dy !== 0) return glyph;
  const ink = face.font.ink(glyph.glyph);
  if (ink === undefined) return glyph;
  const middle = thousandths(face.font, (ink.left + ink.right) / 2);
  if (middle < CLEARLY_LEFT) return glyph;
  const letter = glyphs.slice(0, index).findLast(({ advance }) => advance > 0);
  if (letter === undefined) return glyph;
  return { ...glyph, dx: Math.round(-letter.advance / 2) - middle };
}

/** Left-to-right text only: readers reorder right-to-left text by its glyphs, which a replacement text would prevent. */
function crowdedCluster(texts: readonly string[], infos: readonly { cluster: number }[], index: number) {
  const cluster = infos[index]?.cluster;
  if (infos[index - 1]?.cluster === cluster) return undefined;
  let to = index + 1;
  while (to < infos.length && infos[to]?.cluster === cluster) to += 1;
  const dealt = texts.slice(index, to);
  if (!dealt.includes(ZERO_WIDTH_SPACE)) return undefined;
  return { text: dealt.filter((text) => text !== ZERO_WIDTH_SPACE).join(''), glyphs: to - index };
}
