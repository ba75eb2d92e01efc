import type { Symbology } from '#fill/package/symbologies.ts';
import { quietZoneOf } from './quiet-zone.ts';

/** The face of the human-readable text below the bars of a linear symbol. */
export const CODE_FACE = { font: 'sans', bold: false, italic: false } as const;

const HEIGHT_SHARE = 0.18;
const MOST_SIZE = 12;
export const LEAST_SIZE = 2;
/** Height of the text as a multiple of its size, with a small gap below the bars. */
export const LINE = 1.2;

interface TextBox {
  readonly symbology: Symbology;
  readonly width: number;
  readonly height: number;
}

/** EAN and UPC: ranges of digits, and their positions in modules from the first bar. */
interface Grouping {
  readonly bars: number;
  readonly digits: number;
  readonly groups: readonly (readonly [from: number, to: number, left: number, right: number])[];
}

const EAN_13: Grouping = {
  bars: 95,
  digits: 13,
  groups: [
    [0, 1, -9, -1],
    [1, 7, 3, 45],
    [7, 13, 50, 92],
  ],
};
export const GROUPINGS: Partial<Record<Symbology, Grouping>> = {
  ean13: EAN_13,
  isbn: EAN_13,
  ismn: EAN_13,
  issn: EAN_13,
  ean8: {
    bars: 67,
    digits: 8,
    groups: [
      [0, 4, 3, 31],
      [4, 8, 36, 64],
    ],
  },
  upca: {
    bars: 95,
    digits: 12,
    groups: [
      [0, 1, -9, -1],
      [1, 6, 10, 45],
      [6, 11, 50, 85],
      [11, 12, 96, 104],
    ],
  },
  upce: {
    bars: 51,
    digits: 8,
    groups: [
      [0, 1, -9, -1],
      [1, 7, 3, 45],
      [7, 8, 52, 60],
    ],
  },
};

/** The same size for all rows of an overlay. Digits of EAN and UPC must not be wider than their bars. */
export function sizeOf({ symbology, width, height }: TextBox): number {
  const grouping = GROUPINGS[symbology];
  const most = Math.min(height * HEIGHT_SHARE, MOST_SIZE);
  if (grouping === undefined) return Math.max(LEAST_SIZE, most);
  const module = width / (grouping.bars + 2 * quietZoneOf(symbology).x);
  return Math.max(LEAST_SIZE, Math.min(most, 11 * module));
}

/** The share of the box's height that the text takes, at most a half. */
export function textShare(box: TextBox): number {
  return Math.min(0.5, (sizeOf(box) * LINE) / box.height);
}

/** The text that the encoder reports, with check digits, or the value itself. */
export function textOf(
  symbology: Symbology,
  texts: readonly (readonly [text: string, ...unknown[]])[] | undefined,
  value: string,
): string {
  // The encoder inserts a space for each shift character.
  if (symbology === 'code39ext' || symbology === 'code93ext') return value;
  const text = (texts ?? []).map(([part]) => part).join('');
  if (text.trim() === '') return value;
  const digits = GROUPINGS[symbology]?.digits ?? text.length;
  const addOn = text.slice(digits);
  return addOn === '' ? text : `${text.slice(0, digits)} ${addOn}`;
}

/** Whether the text has the groups of EAN and UPC. With an add-on it is one line. */
export function isGrouped(symbology: Symbology, text: string): boolean {
  return text.length === GROUPINGS[symbology]?.digits;
}
