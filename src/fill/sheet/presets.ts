import type { SheetGeometry } from './sheet.ts';

/** A sheet of labels that is sold under this name. */
export interface SheetPreset {
  readonly preset: string;
  readonly paper: 'A4' | 'Letter';
  readonly geometry: SheetGeometry;
}

const MM = 72 / 25.4;
const INCH = 72;
const papers = { A4: [210 * MM, 297 * MM, MM], Letter: [8.5 * INCH, 11 * INCH, INCH] } as const;

/** Columns, rows, width and height of a label, and the gaps between labels. Millimetres on A4, inches on Letter. */
type Grid = readonly [number, number, number, number, number?, number?];

/** The labels are in the middle of the sheet. */
function presets(brand: string, paper: keyof typeof papers, parts: Readonly<Record<string, Grid>>) {
  const [width, height, unit] = papers[paper];
  return Object.entries(parts).map(([part, [columns, rows, wide, high, gapX = 0, gapY = 0]]): SheetPreset => {
    const label_width = wide * unit;
    const label_height = high * unit;
    const pitch_x = (wide + gapX) * unit;
    const pitch_y = (high + gapY) * unit;
    const margin_left = (width - (columns - 1) * pitch_x - label_width) / 2;
    const margin_top = (height - (rows - 1) * pitch_y - label_height) / 2;
    const sizes = { margin_left, margin_top, pitch_x, pitch_y, label_width, label_height };
    const rounded = Object.entries({ width, height, ...sizes }).map(([name, size]) => [name, rounding(size)]);
    return {
      preset: `${brand}-${part}`,
      paper,
      geometry: { columns, rows, ...Object.fromEntries(rounded) } as SheetGeometry,
    };
  });
}

const rounding = (points: number) => Math.max(0, Math.round(points * 1000) / 1000);

export const SHEET_PRESETS: readonly SheetPreset[] = [
  ...presets('avery', 'A4', {
    l4731: [7, 27, 25.4, 10, 2.5],
    l7159: [3, 8, 63.5, 33.9, 2.5],
    l7160: [3, 7, 63.5, 38.1, 2.5],
    l7161: [3, 6, 63.5, 46.6, 2.5],
    l7162: [2, 8, 99.1, 33.9, 2.5],
    l7163: [2, 7, 99.1, 38.1, 2.5],
    l7164: [3, 4, 63.5, 72, 2.5],
    l7165: [2, 4, 99.1, 67.7, 2.5],
    l7166: [2, 3, 99.1, 93.1, 2.5],
    l7167: [1, 1, 199.6, 289.1],
    l7168: [1, 2, 199.6, 143.5],
    l7169: [2, 2, 99.1, 139, 2.5],
    l7173: [2, 5, 99.1, 57, 2.5],
    l7636: [4, 12, 45.7, 21.2, 2.6],
    l7651: [5, 13, 38.1, 21.2, 2.5],
    l7654: [4, 10, 45.7, 25.4, 2.6],
  }),
  ...presets('avery', 'Letter', {
    5126: [1, 2, 8.5, 5.5],
    5160: [3, 10, 2.625, 1, 0.125],
    5161: [2, 10, 4, 1, 0.1875],
    5162: [2, 7, 4, 4 / 3, 0.1875],
    5163: [2, 5, 4, 2, 0.1875],
    5164: [2, 3, 4, 10 / 3, 0.1875],
    5165: [1, 1, 8.5, 11],
    5167: [4, 20, 1.75, 0.5, 0.3125],
    5168: [2, 2, 3.5, 5, 0.5],
    5371: [2, 5, 3.5, 2],
    5395: [2, 4, 3.375, 7 / 3, 0.375, 1 / 6],
    8160: [3, 10, 2.625, 1, 0.125],
    8163: [2, 5, 4, 2, 0.1875],
  }),
  ...presets('zweckform', 'A4', {
    3421: [3, 11, 70, 25.4],
    3422: [3, 8, 70, 35],
    3424: [2, 6, 105, 48],
    3425: [2, 5, 105, 57],
    3426: [2, 4, 105, 70],
    3427: [2, 4, 105, 74],
    3474: [3, 8, 70, 37],
    3475: [3, 8, 70, 36],
    3478: [1, 1, 210, 297],
    3483: [2, 2, 105, 148],
    3484: [2, 8, 105, 37],
    3490: [3, 8, 70, 36],
    3651: [4, 10, 52.5, 29.7],
    3652: [3, 7, 70, 42.3],
    3653: [2, 7, 105, 42.3],
    3655: [1, 2, 210, 148],
    3657: [4, 10, 48.5, 25.4],
    3658: [3, 8, 64.6, 33.8],
    3659: [2, 6, 97, 42.3],
    3660: [2, 4, 97, 67.7],
    3661: [3, 4, 70, 67.7],
    3669: [3, 5, 70, 50.8],
  }),
  ...presets('herma', 'A4', {
    4282: [1, 2, 210, 148],
    4428: [1, 1, 210, 297],
    4453: [3, 8, 70, 37],
    4457: [2, 6, 105, 48],
    4464: [3, 8, 70, 37],
    4620: [2, 8, 105, 37],
    4676: [2, 2, 105, 148],
  }),
];

const byName = new Map(SHEET_PRESETS.map((preset) => [preset.preset, preset]));

export function findPreset(name: string): SheetPreset | undefined {
  return byName.get(name);
}
