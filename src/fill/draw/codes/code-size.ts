import type { Symbology } from '#fill/package/symbologies.ts';
import type { Frame } from '../display-list.ts';
import type { ModuleGrid } from './module-grid.ts';

/** Points in a millimetre. */
export const MM = 72 / 25.4;

/** The narrowest bar or module that common scanners read. A printer of 300 dpi draws it with two dots. */
export const LEAST_MODULE = 0.19 * MM;

/**
 * Postal codes are measured from bar to bar: at most 24 bars an inch (Royal Mail, KIX, USPS), 25 (Australia Post), or
 * 0.96 mm (Japan Post at 8 pt).
 */
const LEAST_PITCH: Partial<Record<Symbology, number>> = {
  auspost: 72 / 25,
  daft: 72 / 24,
  japanpost: 0.96 * MM,
  kix: 72 / 24,
  onecode: 72 / 24,
  planet: 72 / 24,
  postnet: 72 / 24,
  royalmail: 72 / 24,
};

export const isPostal = (symbology: Symbology): boolean => LEAST_PITCH[symbology] !== undefined;

/** The least size of `ModuleGrid.module`, in points. */
export const leastModule = (symbology: Symbology): number => LEAST_PITCH[symbology] ?? LEAST_MODULE;

/** Returns a note if the code is drawn too small to be read, otherwise null. */
export function tooSmall(grid: ModuleGrid, drawnWidth: number, frame: Frame, least: number): string | null {
  if (grid.fixed !== undefined) {
    if (Math.min(frame.width, frame.height) >= grid.fixed) return null;
    return `The symbol must be ${millimetres(grid.fixed)} mm wide and its box is smaller.`;
  }
  const module = (drawnWidth * grid.module) / grid.width;
  if (module >= least) return null;
  const width = millimetres((grid.width / grid.module) * least);
  const box = grid.square
    ? `${width} × ${millimetres((grid.height / grid.module) * least)} mm`
    : `${width} mm wide`;
  const what = least === LEAST_MODULE ? 'A module is' : 'The bars are';
  const apart = least === LEAST_MODULE ? 'wide' : 'apart';
  return `${what} ${(module / MM).toFixed(3)} mm ${apart}; scanners need ${(least / MM).toFixed(2)} mm, so the box must be at least ${box}.`;
}

/** Rounded up, so that a box of that size is large enough. */
function millimetres(points: number): string {
  return (Math.ceil((points / MM) * 10 - 1e-6) / 10).toFixed(1);
}
