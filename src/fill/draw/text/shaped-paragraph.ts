import type { BaseFace } from '#fill/fonts/base-face.ts';
import type { Face } from '#fill/fonts/face.ts';
import type { ShapedGlyph, Shaper } from '#fill/fonts/shaper.ts';
import type { GlyphRun, RunLook } from '../display-list.ts';
import { bidi, hasRightToLeft, visualOrder } from './bidi.ts';
import { isControl, isIgnorable, shapedScript } from './characters.ts';
import { clusterEnd } from './clusters.ts';
import { markOpportunities } from './line-opportunities.ts';
import { BREAK_AFTER, type BreakTable, CUT_AFTER, type Paragraph, SOFT_HYPHEN, SPACE } from './paragraph.ts';
import { hasSyllableScript, mayEndSyllable } from './syllable-breaks.ts';

/**
 * A text that the base alone cannot set. It is divided into *clusters* (a character with its marks). Each cluster gets the
 * first face of the chain that has all of its characters. Adjacent clusters with the same face, script and direction form
 * *spans* that end at spaces. Spans of simple scripts are set with the character map, the others with harfbuzz. Directions
 * follow the Unicode Bidirectional Algorithm (UAX #9), line by line.
 */
export interface FaceChain {
  /** The overlay's own face, as the base has it. */
  readonly base: BaseFace;
  /** The face at an index of the chain, opened on first use; undefined after the end. */
  face(place: number): Face | undefined;
  /** Whether the family of the face lacks the wanted style, so that it is the nearest one. */
  isNearest?(face: Face): boolean;
}

/** The faces and the look of the text at an index of a paragraph. Text of one style has the same object. */
export interface StyledPlace {
  readonly chain: FaceChain;
  readonly look: RunLook | undefined;
}

export interface ShapingTools {
  readonly shaper: Shaper;
  /** Called for every character that no face has. */
  missing(character: string): void;
  /** Called for every character whose face lacks the wanted style. */
  nearest?(character: string, chain: FaceChain): void;
}

interface Span {
  from: number;
  to: number;
  readonly face: Face;
  readonly script: string | undefined;
  readonly shaped: boolean;
  readonly level: number;
  readonly kind: 'text' | 'space' | 'missing' | 'hyphen';
  readonly look?: RunLook | undefined;
  /** Set after the first computation. */
  glyphs?: readonly ShapedGlyph[];
}

const MISSING_TEXT = '\ufffd';
const SOFT_HYPHEN_TEXT = '\u00ad';

export function shapedParagraph(
  text: string,
  chain: FaceChain,
  tools: ShapingTools,
  styleAt?: (index: number) => StyledPlace,
): Paragraph {
  const levels = hasRightToLeft(text) ? bidi.getEmbeddingLevels(text) : undefined;
  const spans = spansOf(text, styleAt ?? (() => ({ chain, look: undefined })), levels?.levels, tools);
  const glyphsOf = (span: Span) => {
    span.glyphs ??= glyphsFor(text, span, tools.shaper);
    return span.glyphs;
  };
  let width = 0;
  for (const span of spans) {
    for (const { advance } of glyphsOf(span)) width += advance;
  }
  const hyphenAt = (index: number) => hyphenSpan(index, levels?.levels[index] ?? 0, spans, chain);
  let table: BreakTable | undefined;
  return {
    width,
    length: text.length,
    rightToLeft: ((levels?.paragraphs[0]?.level ?? 0) & 1) === 1,
    breaks: () => {
      table ??= breaksOf(text, spans, glyphsOf, () => {
        const [glyph] = glyphsOf(hyphenAt(text.indexOf(SOFT_HYPHEN_TEXT)));
        return glyph?.advance ?? 0;
      });
      return table;
    },
    line: (from, to) => {
      let end = to;
      while (end > from && text.charCodeAt(end - 1) === 0x20) end -= 1;
      const parts = spans
        .filter((span) => span.from < end && span.to > from)
        .map((span) => part(span, from, end));
      if (to < text.length && text.charAt(to - 1) === SOFT_HYPHEN_TEXT) parts.push(hyphenAt(to - 1));
      const runs: OpenRun[] = [];
      let lineWidth = 0;
      for (const span of visualOrder(parts)) {
        const glyphs = glyphsOf(span);
        for (const { advance } of glyphs) lineWidth += advance;
        append(runs, span, glyphs);
      }
      return { runs, width: lineWidth };
    },
  };
}

/** The part of a span between `from` and `to`. */
function part(span: Span, from: number, to: number): Span {
  if (span.from >= from && span.to <= to) return span;
  const { face, script, shaped, level, kind, look } = span;
  return {
    from: Math.max(span.from, from),
    to: Math.min(span.to, to),
    face,
    script,
    shaped,
    level,
    kind,
    look,
  };
}

/** Joins adjacent spans of one face and look into one run. */
function append(
  runs: OpenRun[],
  { face, look }: Pick<Span, 'face' | 'look'>,
  glyphs: readonly ShapedGlyph[],
): void {
  const last = runs.at(-1);
  if (last?.face === face && last.look === look) for (const glyph of glyphs) last.glyphs.push(glyph);
  else runs.push({ kind: 'glyphs', face, glyphs: [...glyphs], ...(look !== undefined && { look }) });
}

interface OpenRun extends GlyphRun {
  readonly glyphs: ShapedGlyph[];
}

function spansOf(
  text: string,
  styleAt: (index: number) => StyledPlace,
  levels: Uint8Array | undefined,
  tools: ShapingTools,
): Span[] {
  const spans: Span[] = [];
  let from = 0;
  while (from < text.length) {
    const codePoint = text.codePointAt(from) ?? 0;
    const to = clusterEnd(text, from);
    const level = levels?.[from] ?? 0;
    const { chain, look } = styleAt(from);
    const cluster = text.slice(from, to);
    const alone = to - from === (codePoint > 0xffff ? 2 : 1); // a space may have marks
    if (alone && (codePoint === 0x20 || codePoint === 0xa0)) {
      spans.push({
        from,
        to,
        face: spaceFace(spans.at(-1), level, chain),
        script: undefined,
        shaped: false,
        level,
        kind: 'space',
        look,
      });
    } else if (!isIgnorable(codePoint) || !alone) {
      const face = isControl(codePoint) ? undefined : faceFor(cluster, chain);
      const script = shapedScript(codePoint);
      const shaped = script !== undefined || !alone;
      if (face === undefined) tools.missing(cluster);
      else if (chain.isNearest?.(face)) tools.nearest?.(cluster, chain);
      const kind = face === undefined ? 'missing' : 'text';
      const last = spans.at(-1);
      const joins =
        last !== undefined &&
        last.kind === 'text' &&
        kind === 'text' &&
        last.to === from &&
        last.face === face &&
        last.level === level &&
        last.look === look &&
        last.shaped === shaped &&
        last.script === script;
      if (joins) last.to = to;
      else spans.push({ from, to, face: face ?? primary(chain), script, shaped, level, kind, look });
    }
    from = to;
  }
  return spans;
}

/** The first face that has every character of the cluster, otherwise the first that has its base character. */
function faceFor(cluster: string, chain: FaceChain): Face | undefined {
  const codePoints = [...cluster].map((character) => character.codePointAt(0) ?? 0);
  const drawn = codePoints.filter((codePoint) => !isIgnorable(codePoint));
  if (drawn.length === 0) return primary(chain);
  let forBase: Face | undefined;
  for (let place = 0; ; place += 1) {
    const face = chain.face(place);
    if (face === undefined) return forBase;
    if (face.glyphOf(drawn[0] ?? 0) === 0) continue;
    if (drawn.length === 1 || drawn.every((codePoint) => face.glyphOf(codePoint) !== 0)) return face;
    forBase ??= face;
  }
}

/**
 * Readers convert right-to-left text to reading order one font run at a time, so a space between two words of such a line
 * uses their font.
 */
function spaceFace(before: Span | undefined, level: number, chain: FaceChain): Face {
  const face = (level & 1) === 1 ? before?.face : undefined;
  return face !== undefined && face.glyphOf(0x20) !== 0 ? face : primary(chain);
}

function primary(chain: FaceChain): Face {
  const face = chain.face(0);
  if (face === undefined) throw new Error('bug: a base face has no font file');
  return face;
}

function glyphsFor(text: string, span: Span, shaper: Shaper): readonly ShapedGlyph[] {
  const { face } = span;
  const plain = (glyph: number, character: string, cluster: number): ShapedGlyph => ({
    glyph,
    text: character,
    cluster,
    advance: face.advance(glyph),
    dx: 0,
    dy: 0,
  });
  if (span.kind === 'space') {
    return [{ ...plain(face.glyphOf(0x20), ' ', 0), travels: (span.level & 1) === 1 }];
  }
  if (span.kind === 'hyphen') {
    // Its text is the soft hyphen: a reader that joins lines drops it.
    return [plain(face.glyphOf(0x2010) || face.glyphOf(0x2d), SOFT_HYPHEN_TEXT, 0)];
  }
  if (span.kind === 'missing') return [plain(0, MISSING_TEXT, 0)];
  const word = text.slice(span.from, span.to);
  if (span.shaped) return shaper.shape(face, word, (span.level & 1) === 1, span.script);
  const rtl = (span.level & 1) === 1;
  const glyphs: ShapedGlyph[] = [];
  let cluster = 0;
  for (const character of word) {
    const drawn = (rtl ? bidi.getMirroredCharacter(character) : null) ?? character;
    const glyph = face.glyphOf(drawn.codePointAt(0) ?? 0) || face.glyphOf(character.codePointAt(0) ?? 0);
    glyphs.push(plain(glyph, character, cluster));
    cluster += character.length;
  }
  return rtl ? glyphs.reverse() : glyphs;
}

function breaksOf(
  text: string,
  spans: readonly Span[],
  glyphsOf: (span: Span) => readonly ShapedGlyph[],
  hyphenAdvance: () => number,
): BreakTable {
  const advances = new Uint32Array(text.length);
  const marks = new Uint8Array(text.length);
  for (const span of spans) {
    for (const glyph of glyphsOf(span)) {
      const at = span.from + glyph.cluster;
      advances[at] = Math.max(0, (advances[at] ?? 0) + glyph.advance);
    }
  }
  const bySyllables = hasSyllableScript(text);
  let hyphenated = false;
  for (let from = 0, to = 0, before = 0; from < text.length; before = from, from = to) {
    to = clusterEnd(text, from);
    const unit = text.charCodeAt(from);
    marks[to - 1] = unit === 0x20 ? SPACE | CUT_AFTER : CUT_AFTER;
    if (bySyllables && from > 0 && mayEndSyllable(text, before, from, to)) {
      marks[from - 1] = (marks[from - 1] as number) | BREAK_AFTER;
    }
    hyphenated ||= unit === 0xad;
  }
  markOpportunities(text, marks);
  if (!hyphenated) return { advances, marks, hyphen: 0 };
  for (let index = 0; index < text.length; index += 1) {
    // A word that must be cut is cut before the soft hyphen, where no hyphen takes space.
    if (text.charCodeAt(index) === 0xad) marks[index] = ((marks[index] as number) & ~CUT_AFTER) | SOFT_HYPHEN;
  }
  return { advances, marks, hyphen: hyphenAdvance() };
}

/** The hyphen of a line that ends at the soft hyphen at `index`, in the face of the letters before it. */
function hyphenSpan(index: number, level: number, spans: readonly Span[], chain: FaceChain): Span {
  const before = spans.findLast((span) => span.to <= index && span.kind === 'text');
  const own = before?.face;
  const face = own !== undefined && own.glyphOf(0x2d) !== 0 ? own : primary(chain);
  return {
    from: index,
    to: index + 1,
    face,
    script: undefined,
    shaped: false,
    level,
    kind: 'hyphen',
    look: before?.look,
  };
}
