import type { ContentWriter } from './content-writer.ts';
import type { Color } from './display-list.ts';

/** Selects the fill colour if it differs from the current one. Returns the colour. */
export function setFill(writer: ContentWriter, color: Color, current: Color): Color {
  const { r, g, b } = color;
  if (r === current.r && g === current.g && b === current.b) return current;
  writer.num(r / 255);
  if (r === g && g === b) {
    writer.ascii('g\n');
  } else {
    writer.num(g / 255);
    writer.num(b / 255);
    writer.ascii('rg\n');
  }
  return color;
}

/** Adds a rectangle to the path. */
export function rectangle(writer: ContentWriter, x: number, y: number, width: number, height: number): void {
  writer.num(x);
  writer.num(y);
  writer.num(width);
  writer.num(height);
  writer.ascii('re ');
}
