import { exactPdfNumber } from '../write/pdf-number.ts';

/**
 * A page as a reader shows it. `width` and `height` are displayed points: the visible box (CropBox inside MediaBox,
 * ISO 32000-2 §14.11.2) after /UserUnit and /Rotate.
 */
export interface DisplayedPage {
  readonly width: number;
  readonly height: number;
}

export interface PageGeometry {
  readonly mediaBox: Box;
  /** Visible box in default user space: left, bottom, right, top. */
  readonly box: Box;
  readonly rotation: 0 | 90 | 180 | 270;
  readonly userUnit: number;
}

export type Box = readonly [number, number, number, number];

/** US Letter, what readers assume when a page has no usable box. */
const FALLBACK_BOX: Box = [0, 0, 612, 792];
const MAX_EXTENT = 1e7;

export function pageGeometry(
  mediaBox: readonly number[] | null,
  cropBox: readonly number[] | null,
  rotate: number,
  userUnit: number,
): PageGeometry {
  const media = usableBox(mediaBox) ?? FALLBACK_BOX;
  const crop = usableBox(cropBox) ?? media;
  const box: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  const turns = Number.isFinite(rotate) ? (((Math.round(rotate / 90) % 4) + 4) % 4) * 90 : 0;
  return {
    mediaBox: media,
    box: box[2] > box[0] && box[3] > box[1] ? box : media,
    rotation: turns as PageGeometry['rotation'],
    userUnit: Number.isFinite(userUnit) && userUnit > 0 && userUnit <= 75_000 ? userUnit : 1,
  };
}

export function displayedPage({ box, rotation, userUnit }: PageGeometry): DisplayedPage {
  const width = (box[2] - box[0]) * userUnit;
  const height = (box[3] - box[1]) * userUnit;
  return rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height };
}

/**
 * Maps slot space (displayed points, origin at the bottom-left of the displayed page, y up) to default user space.
 * /Rotate turns the page clockwise, so at 90 the displayed x runs along the user's y, and the displayed y against its x.
 */
export function slotMatrix({ box, rotation, userUnit }: PageGeometry): string {
  const [left, bottom, right, top] = box;
  const unit = 1 / userUnit;
  const matrix = {
    0: [unit, 0, 0, unit, left, bottom],
    90: [0, unit, -unit, 0, right, bottom],
    180: [-unit, 0, 0, -unit, right, top],
    270: [0, -unit, unit, 0, left, top],
  }[rotation];
  return `[${matrix.map(exactPdfNumber).join(' ')}]`;
}

function usableBox(numbers: readonly number[] | null): Box | null {
  if (numbers === null || numbers.length < 4) return null;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (![a, b, c, d].every((value) => Number.isFinite(value) && Math.abs(value) <= MAX_EXTENT)) return null;
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] > box[0] && box[3] > box[1] ? box : null;
}
