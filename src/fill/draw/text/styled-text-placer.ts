import type { TextStyle } from '#fill/package/markup.ts';
import type { ReadParts } from '#fill/values/resolve-value.ts';
import { colorOf } from '../frame.ts';
import type { PlaceOverlay } from '../place-overlay.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import type { Paragraph } from './paragraph.ts';
import { LINE_ENDS, setParagraphs, type TextRules } from './set-text.ts';
import { type FaceChain, type ShapingTools, type StyledPlace, shapedParagraph } from './shaped-paragraph.ts';
import { placeText, type TextLook } from './text-placer.ts';

interface StyledLook extends Pick<TextLook, 'overlayId' | 'frame' | 'color' | 'shaper'> {
  /** Called when the first text is set: the faces of a style. */
  readonly chainOf: (style: TextStyle) => FaceChain;
  /** The style of each part that `read` passes. */
  readonly styles: readonly TextStyle[];
  /** The style of the overlay, whose face has the metrics of all lines. */
  readonly own: TextStyle;
}

/** The styled text of one row: its characters, and where each part ends. */
interface StyledText {
  readonly text: string;
  readonly ends: readonly number[];
}

type PlacedStyled = StyledText & Parameters<typeof placeText>[0];

/**
 * Sets text whose parts have styles of their own. All parts have one size, and lines break, shrink and align as in text of one
 * style. Keeps the last text, as `textPlacer` does.
 */
export function styledTextPlacer(read: ReadParts, rules: TextRules, look: StyledLook): PlaceOverlay {
  let places: readonly StyledPlace[] | undefined;
  let base: FaceChain | undefined;
  let last: PlacedStyled | undefined;
  return (cells, row) => {
    const styled = join(read, cells, row);
    if (styled.text === '') return null; // a blank counts as applied
    row.spend('glyphs', styled.text.length);
    if (last === undefined || !isSame(last, styled)) {
      base ??= look.chainOf(look.own);
      places ??= placesOf(look);
      const missing = new Set<string>();
      const nearest = new Set<string>();
      const tools = {
        shaper: look.shaper,
        missing: (character: string) => void missing.add(character),
        nearest: (character: string) => void nearest.add(character),
      };
      const paragraphs = paragraphsOf(styled, places, base, tools);
      const { size, lines, overflows } = setParagraphs(paragraphs, rules, base.base);
      const { overlayId, frame, color } = look;
      last = {
        ...styled,
        missing: missing.size === 0 ? undefined : missingGlyphs(missing, base),
        nearest: nearest.size === 0 ? undefined : nearestNote(nearest),
        item: { kind: 'text', overlayId, frame, color, size, lines, clipped: overflows },
      };
    }
    placeText(last, row);
    return null;
  };
}

function join(read: ReadParts, ...[cells, row]: Parameters<PlaceOverlay>): StyledText {
  const ends: number[] = [];
  let text = '';
  read(cells, row, (piece) => {
    text += piece;
    ends.push(text.length);
  });
  return { text, ends };
}

const isSame = (a: StyledText, b: StyledText) =>
  a.text === b.text && a.ends.every((end, index) => end === b.ends[index]);

/** One object per style, because runs of one style are joined. */
function placesOf({ styles, chainOf }: StyledLook): StyledPlace[] {
  const known = new Map<string, StyledPlace>();
  return styles.map((style) => {
    const key = JSON.stringify(style);
    const place = known.get(key) ?? {
      chain: chainOf(style),
      look:
        style.underline || style.color !== undefined
          ? {
              underline: style.underline,
              color: style.color === undefined ? undefined : colorOf(style.color),
            }
          : undefined,
    };
    known.set(key, place);
    return place;
  });
}

function paragraphsOf(
  { text, ends }: StyledText,
  places: readonly StyledPlace[],
  base: FaceChain,
  tools: ShapingTools,
): Paragraph[] {
  const placeAt = (index: number): StyledPlace => {
    const part = ends.findIndex((end) => index < end);
    return places[part] ?? { chain: base, look: undefined };
  };
  const paragraphs: Paragraph[] = [];
  let from = 0;
  for (const line of text.replaceAll('\t', ' ').split(LINE_ENDS)) {
    const start = from;
    paragraphs.push(shapedParagraph(line, base, tools, (index) => placeAt(start + index)));
    from += line.length + (text.startsWith('\r\n', start + line.length) ? 2 : 1);
  }
  return paragraphs;
}

const NAMED = 5;

function nearestNote(characters: ReadonlySet<string>): string {
  const names = [...characters]
    .slice(0, NAMED)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const more = characters.size > NAMED ? ` and ${characters.size - NAMED} more` : '';
  return `The font of ${names.join(', ')}${more} has no face of the style in the markup; the nearest one is used.`;
}
