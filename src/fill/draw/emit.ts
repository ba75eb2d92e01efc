import type { ContentWriter } from './content-writer.ts';
import type { CodeItem, Color, DisplayItem, Frame, ImageItem, ShapeItem } from './display-list.ts';
import { emitText } from './emit-text.ts';
import { ORIENTATION_MATRICES } from './images/orientation.ts';
import { rectangle, setFill } from './paint.ts';
import type { RowFonts } from './row-fonts.ts';
import { CLOSING_MARK, type OverlayTags, openingMark } from './tagged-content.ts';
import { turnOf } from './turn.ts';

/**
 * Writes a display list as content-stream operators of one page's slot. The slot's unit is the displayed point, with the
 * origin at the bottom-left of the displayed page. Frames have a top-left origin, so the page's height converts them.
 */
export function emitItems(
  writer: ContentWriter,
  items: readonly DisplayItem[],
  pageHeight: number,
  fonts: RowFonts,
  tags: OverlayTags | null,
): void {
  let fill: Color = BLACK; // the initial colour of a content stream
  for (const item of items) {
    const { frame } = item;
    if (tags !== null) writer.ascii(openingMark(item, tags));
    const turned = frame.rotation % 360 !== 0;
    const framed = turned || frame.opacity < 1 || ('clipped' in item && item.clipped);
    let originX = frame.x;
    let originY = pageHeight - frame.y - frame.height;
    if (framed) {
      writer.ascii('q\n');
      if (frame.opacity < 1) writer.ascii(`/${opacityName(frame.opacity)} gs\n`);
      if (turned) {
        turn(writer, frame, originX, originY);
        originX = -frame.width / 2;
        originY = -frame.height / 2;
      }
      if ('clipped' in item && item.clipped) {
        rectangle(writer, originX, originY, frame.width, frame.height);
        writer.ascii('W n\n');
      }
    }
    const before = fill;
    if (item.kind === 'text') {
      fill = setFill(writer, item.color, fill);
      emitText(writer, item, originX, originY, fonts);
    } else if (item.kind === 'code') {
      fill = emitCode(writer, item, originX, originY, fill);
    } else if (item.kind === 'image') {
      emitImage(writer, item, originX, originY);
    } else {
      fill = setFill(writer, item.color, fill);
      emitShape(writer, item, originX, originY);
    }
    if (framed) {
      writer.ascii('Q\n');
      fill = before;
    }
    if (tags !== null) writer.ascii(CLOSING_MARK);
  }
}

/** The name of the ExtGState entry for an opacity. `opacityState` is the entry. */
function opacityName(opacity: number): string {
  return `G${Math.round(opacity * 1000)}`;
}

export function opacityState(opacity: number): string {
  const alpha = Math.round(opacity * 1000) / 1000;
  return `/${opacityName(opacity)}<</ca ${alpha}/CA ${alpha}>>`;
}

const BLACK: Color = { r: 0, g: 0, b: 0 };
const WHITE: Color = { r: 255, g: 255, b: 255 };

/** Rotates clockwise about the centre. The frame's centre becomes the origin. */
function turn(writer: ContentWriter, frame: Frame, originX: number, originY: number): void {
  const { sin, cos } = turnOf(frame.rotation);
  writer.factor(cos);
  writer.factor(-sin);
  writer.factor(sin);
  writer.factor(cos);
  writer.num(originX + frame.width / 2);
  writer.num(originY + frame.height / 2);
  writer.ascii('cm\n');
}

/** Writes a white background with the quiet zone, then the whole symbol as one path in module units. */
function emitCode(
  writer: ContentWriter,
  { grid, ground, color }: CodeItem,
  originX: number,
  originY: number,
  fill: Color,
): Color {
  setFill(writer, WHITE, fill);
  rectangle(writer, originX + ground.x, originY + ground.y, ground.width, ground.height);
  writer.ascii('f\n');
  setFill(writer, color, WHITE);
  writer.ascii('q ');
  writer.factor(ground.width / grid.width);
  writer.ascii('0 0 ');
  writer.factor(-ground.height / grid.height);
  writer.num(originX + ground.x);
  writer.num(originY + ground.y + ground.height);
  writer.ascii('cm\n');
  if (grid.painting !== undefined) {
    writer.ascii(grid.painting);
    writer.ascii('Q\n');
    return color;
  }
  const { rectangles } = grid;
  writer.reserve(rectangles.length * 8 + 64);
  for (let at = 0; at < rectangles.length; at += 4) {
    writer.int(rectangles[at] as number);
    writer.int(rectangles[at + 1] as number);
    writer.int(rectangles[at + 2] as number);
    writer.int(rectangles[at + 3] as number);
    const { bytes, length } = writer;
    bytes[length] = 0x72; // re
    bytes[length + 1] = 0x65;
    bytes[length + 2] = 0x0a;
    writer.length = length + 3;
  }
  writer.ascii('f*\nQ\n');
  return color;
}

function emitImage(writer: ContentWriter, item: ImageItem, originX: number, originY: number): void {
  const [a, b, c, d, e, f] = ORIENTATION_MATRICES[item.orientation];
  const { width, height } = item;
  writer.ascii('q ');
  writer.num(a * width);
  writer.num(b * height);
  writer.num(c * width);
  writer.num(d * height);
  writer.num(originX + item.x + e * width);
  writer.num(originY + item.y + f * height);
  writer.ascii(`cm /${item.name} Do Q\n`);
}

function emitShape(writer: ContentWriter, item: ShapeItem, originX: number, originY: number): void {
  writer.ascii('q ');
  writer.num(item.width);
  writer.ascii('0 0 ');
  writer.num(item.height);
  writer.num(originX + item.x);
  writer.num(originY + item.y);
  writer.ascii(`cm\n${item.path}f\nQ\n`);
}
