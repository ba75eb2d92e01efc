import type { FieldOption, MatchOption } from '../values/match-option.ts';
import { pdfNumber } from '../write/pdf-number.ts';
import type { MappedField, WidgetLook } from './form-state.ts';

/**
 * The geometry of a list box (ISO 32000-2 §12.7.5.4): one option per line, the chosen ones on a coloured background. A list
 * that is higher than its widget is scrolled to the first chosen option, which /TI records.
 */
export interface ListLines {
  /** Options shown at a time. */
  readonly count: number;
  readonly size: number;
  readonly height: number;
  /** From the widget's edge to the first line. */
  readonly inset: number;
}

/** The size that readers use if the size is automatic. */
const AUTO_SIZE = 12;
const LINE_HEIGHT = 1.2;
/** Limit for damaged files, because each line is a separate box. */
const MAX_LINES = 500;

export function listLines({ height, padding, size: declared }: WidgetLook): ListLines {
  const size = declared > 0 ? declared : AUTO_SIZE;
  const line = size * LINE_HEIGHT;
  const inset = padding / 2;
  const count = Math.floor((height - 2 * inset) / line);
  return { count: Math.min(MAX_LINES, Math.max(1, count)), size, height: line, inset };
}

/** Returns the first option to show: the source's scroll position, unless the first chosen option is not visible there. */
export function topOption(first: number | undefined, top: number, shown: number, count: number): number {
  if (first === undefined || (first >= top && first < top + shown))
    return Math.min(top, Math.max(0, count - 1));
  return Math.min(first, Math.max(0, count - shown));
}

/** Fills the background of chosen lines with the colour that viewers use. `chosen` are lines of the widget, from 0. */
export function chosenGround(look: WidgetLook, chosen: readonly number[]): string {
  const { count, height, inset } = listLines(look);
  const rectangles = chosen
    .filter((line) => line >= 0 && line < count)
    .map((line) => {
      const bottom = look.height - inset - (line + 1) * height;
      return `${[inset, bottom, look.width - 2 * inset, height].map(pdfNumber).join(' ')} re`;
    });
  return rectangles.length === 0 ? '' : `q .6 .757 .855 rg ${rectangles.join(' ')} f Q\n`;
}

/** Returns the labels of the options that a widget shows. */
export function shownLabels(options: readonly FieldOption[], look: WidgetLook, top: number): string[] {
  return options.slice(top, top + listLines(look).count).map(({ label }) => label);
}

/**
 * Returns the indexes of the chosen options, ascending, or null if the field does not accept the text. The whole text is
 * tried as one option before it is split at `;`, because an option may contain a semicolon.
 */
export function chosenOptions(
  text: string,
  match: MatchOption,
  { multiSelect }: Pick<MappedField, 'multiSelect'>,
): readonly number[] | null {
  const whole = match(text);
  if (whole === 'clear') return [];
  if (whole !== 'unknown') return [whole];
  const chosen = new Set<number>();
  for (const part of text.split(';')) {
    const option = match(part.trim());
    if (option === 'unknown') return null;
    if (option !== 'clear') chosen.add(option);
  }
  if (chosen.size === 0 || (chosen.size > 1 && !multiSelect)) return null;
  return [...chosen].sort((a, b) => a - b);
}
