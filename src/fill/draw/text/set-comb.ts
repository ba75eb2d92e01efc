import type { TextLine } from '../display-list.ts';
import { bidi, hasRightToLeft, visualOrder } from './bidi.ts';
import { clustersOf } from './clusters.ts';
import { fitText } from './fit-text.ts';
import { withInkInside } from './ink-room.ts';
import type { Paragraph } from './paragraph.ts';
import { blockTop, LINE_ENDS, paragraphOf, type SetText, type TextRules } from './set-text.ts';
import type { FaceChain, ShapingTools } from './shaped-paragraph.ts';

/**
 * Sets a text in a comb: equal cells with one character (with its marks) each, centred. All characters have the same size,
 * at which the widest fits its cell. `align` decides which cells stay empty. Right-to-left text runs from right to left, and
 * its letters are not joined, as on printed forms. Line ends and tabs count as spaces; a space leaves its cell empty.
 */
export function setComb(
  text: string,
  cells: number,
  rules: TextRules,
  chain: FaceChain,
  tools: ShapingTools,
): SetText {
  const flat = flattened(text);
  const all = clustersOf(flat);
  const levels = hasRightToLeft(flat) ? bidi.getEmbeddingLevels(flat).levels : undefined;
  const kept = all.slice(0, cells).map((cluster) => ({ ...cluster, level: levels?.[cluster.from] ?? 0 }));
  const set = visualOrder(kept).map(({ text: character, level }): Paragraph | null =>
    character === ' ' ? null : paragraphOf(mirrored(character, level), chain, tools),
  );
  const cell = rules.width / cells;
  const drawn = set.filter((paragraph) => paragraph !== null);
  const [first] = drawn;
  const widest = drawn.reduce(
    (wide, paragraph) => (paragraph.width > (wide?.width ?? 0) ? paragraph : wide),
    first,
  );
  const fit = rules.fit === 'clip' ? 'clip' : 'shrink';
  const fitted = fitText(widest === undefined ? [] : [widest], { ...rules, width: cell, wrap: false, fit });
  const { size } = fitted;
  const top = blockTop(1, size, fitted.tooHigh ? { ...rules, valign: 'top' } : rules, chain.base);
  const baseline = top - (chain.base.ascent * size) / 1000;
  const free = cells - set.length;
  const start = rules.align === 'left' ? 0 : rules.align === 'center' ? Math.floor(free / 2) : free;
  const lines = set.flatMap((paragraph, index): TextLine[] => {
    if (paragraph === null) return [];
    const { runs, width: ems } = paragraph.line(0, paragraph.length);
    const width = (ems * size) / 1000;
    return [{ x: (start + index + 0.5) * cell - width / 2, baseline, width, runs }];
  });
  const tooMany = all.length > cells;
  return {
    size,
    lines: inkInside(lines, size, rules.height, chain),
    overflows: tooMany || fitted.overflows,
    ...(tooMany && {
      overflow: `The text has ${all.length} characters for ${cells} cells and was clipped.`,
    }),
  };
}

/** Spaces at the end would count as characters. */
const flattened = (text: string) => text.split(LINE_ENDS).join(' ').replaceAll('\t', ' ').trimEnd();

/** U+200F RIGHT-TO-LEFT MARK draws nothing, but makes a lone bracket part of right-to-left text, where it is mirrored. */
const mirrored = (character: string, level: number) =>
  (level & 1) === 1 && bidi.getMirroredCharacter(character) !== null ? `\u200f${character}` : character;

/** All cells move together, so that their baselines stay equal. */
function inkInside(
  lines: readonly TextLine[],
  size: number,
  height: number,
  { base }: FaceChain,
): readonly TextLine[] {
  const [first] = lines;
  if (first === undefined) return lines;
  const whole = { ...first, runs: lines.flatMap(({ runs }) => runs) };
  const move = (withInkInside([whole], size, height, base)[0]?.baseline ?? first.baseline) - first.baseline;
  return move === 0 ? lines : lines.map((line) => ({ ...line, baseline: line.baseline + move }));
}
