import type { Overlay } from '../package/layout-schema.ts';
import type { Color, Frame } from './display-list.ts';

export function frameOf({ x, y, width, height, rotation, opacity }: Overlay): Frame {
  return { x, y, width, height, rotation, opacity };
}

/** `#rgb` or `#rrggbb`, as the schema admits. */
export function colorOf(hex: string): Color {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return { r: value >> 16, g: (value >> 8) & 0xff, b: value & 0xff };
}
