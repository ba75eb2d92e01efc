import type { Color, Frame } from './display-list.ts';

export function frameOf({ x, y, width, height, rotation, opacity }: Frame): Frame {
  return { x, y, width, height, rotation, opacity };
}

/** Parses `#rgb` or `#rrggbb`, the forms that the schema allows. */
export function colorOf(hex: string): Color {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return { r: value >> 16, g: (value >> 8) & 0xff, b: value & 0xff };
}
