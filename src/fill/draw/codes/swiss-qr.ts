import { MM } from './code-size.ts';
import { type ModuleGrid, mergeModules } from './module-grid.ts';

/**
 * The Swiss QR code of the QR-bill (SIX implementation guidelines): 46 mm wide in every version, with a Swiss cross of 7 mm
 * over its centre. A larger box adds up to 5 mm of quiet zone. A smaller box gets a smaller symbol and a note.
 */
const SIDE = 46;
const QUIET = 5;
const CROSS = 7;
/** The cross is drawn on a grid of 83 units: a white margin of 6, a black square, and in it a white cross. */
const UNITS = 83;
const PLUS = [49, 18, 49, 34, 65, 34, 65, 49, 49, 49, 49, 65, 34, 65, 34, 49, 18, 49, 18, 34, 34, 34, 34, 18];
const LEAST_QUIET = 4;

export function swissQrGrid(
  size: number,
  dark: (x: number, y: number) => boolean,
  box: { readonly width: number; readonly height: number },
): ModuleGrid {
  const side = Math.min(box.width, box.height) / MM;
  const fits = side >= SIDE - 1e-6;
  const quiet = fits ? (Math.min(QUIET, Math.max(0, (side - SIDE) / 2)) * size) / SIDE : LEAST_QUIET;
  const rectangles = mergeModules(size, size, dark);
  let painting = `1 0 0 1 ${print(quiet)} ${print(quiet)} cm\n`;
  for (let at = 0; at < rectangles.length; at += 4)
    painting += `${rectangles.slice(at, at + 4).join(' ')} re\n`;
  painting += `f*\n${cross(size)}`;
  return {
    width: size + 2 * quiet,
    height: size + 2 * quiet,
    rectangles: [],
    painting,
    square: true,
    module: 1,
    modules: size * size,
    fixed: SIDE * MM,
    ...(fits && { extent: (SIDE + (2 * quiet * SIDE) / size) * MM }),
  };
}

function cross(size: number): string {
  const middle = size / 2;
  const whole = (CROSS * size) / SIDE;
  const start = middle - whole / 2;
  const at = (unit: number) => print(start + (unit / UNITS) * whole);
  const square = (from: number, to: number) =>
    `${at(from)} ${at(from)} ${print(((to - from) / UNITS) * whole)} ${print(((to - from) / UNITS) * whole)} re\n`;
  let plus = '';
  for (let index = 0; index < PLUS.length; index += 2) {
    plus += `${at(PLUS[index] ?? 0)} ${at(PLUS[index + 1] ?? 0)} ${index === 0 ? 'm' : 'l'}\n`;
  }
  return `q 1 g\n${square(0, UNITS)}f\nQ\n${square(6, 77)}${plus}h\nf*\n`;
}

function print(value: number): string {
  return (Math.round(value * 1000) / 1000).toString();
}
