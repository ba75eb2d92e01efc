/** `scale` is CSS pixels per point. 100 % is paper size: 96 CSS pixels and 72 points make an inch. */
export const FULL_SIZE = 96 / 72;
const LEAST = 0.1 * FULL_SIZE;
const MOST = 16 * FULL_SIZE;
const STOPS = [10, 25, 33, 50, 67, 75, 100, 125, 150, 200, 300, 400, 600, 800, 1200, 1600].map(
  (percent) => (percent / 100) * FULL_SIZE,
);

export const clampScale = (scale: number): number => Math.min(MOST, Math.max(LEAST, scale));
export const percentOf = (scale: number): number => Math.round((scale / FULL_SIZE) * 100);

/** The next zoom step up or down from the current scale. */
export function stepScale(scale: number, direction: 1 | -1): number {
  const slack = 1.01; // a scale that shows as 100 % counts as 100 %
  const next =
    direction > 0
      ? STOPS.find((stop) => stop > scale * slack)
      : STOPS.findLast((stop) => stop < scale / slack);
  return next ?? (direction > 0 ? MOST : LEAST);
}

/** Fits a whole page, or only its width, into the view with a margin. */
export function fitScale(
  page: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
  what: 'page' | 'width',
): number {
  const desk = 48;
  const across = (view.width - desk) / page.width;
  const down = (view.height - desk) / page.height;
  return clampScale(what === 'width' ? across : Math.min(across, down));
}
