import type { BaseFace } from '../fonts/base-face.ts';
import type { Face } from '../fonts/face.ts';
import type { ShapedGlyph } from '../fonts/shaper.ts';
import type { ModuleGrid } from './codes/module-grid.ts';
import type { Orientation } from './images/orientation.ts';

/**
 * The content of a row's pages as data: the step between layout and bytes. emit.ts turns it into content-stream operators.
 *
 * Every item has a *frame*, its box as displayed (top-left origin). Positions inside an item are relative to the frame's
 * bottom-left corner, y up, before the frame is rotated.
 */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Degrees clockwise about the frame's centre. */
  readonly rotation: number;
  readonly opacity: number;
}

interface Item {
  readonly overlayId: string;
  readonly frame: Frame;
}

/** Red, green and blue from 0 to 255. */
export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

export interface TextItem extends Item {
  readonly kind: 'text';
  readonly color: Color;
  readonly size: number;
  readonly lines: readonly TextLine[];
  /** Cut at the frame's edge. */
  readonly clipped: boolean;
}

export interface TextLine {
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
  /** In visual order. */
  readonly runs: readonly TextRun[];
}

/** Characters in a font of the base, one glyph each, at their default advances. */
interface BaseRun {
  readonly kind: 'base';
  readonly face: BaseFace;
  readonly text: string;
}

/** Placed glyphs of a face that the row may have to embed. */
export interface GlyphRun {
  readonly kind: 'glyphs';
  readonly face: Face;
  readonly glyphs: readonly ShapedGlyph[];
  /** How the run differs from the other text of its item. */
  readonly look?: RunLook | undefined;
}

export interface RunLook {
  readonly color?: Color | undefined;
  readonly underline: boolean;
}

export type TextRun = BaseRun | GlyphRun;

export interface CodeItem extends Item {
  readonly kind: 'code';
  readonly color: Color;
  readonly grid: ModuleGrid;
  /** The symbol's white background, in the frame. */
  readonly ground: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

export interface ImageItem extends Item {
  readonly kind: 'image';
  /** Name in /Resources /XObject. */
  readonly name: string;
  /** How the stored picture is rotated and mirrored for this box. */
  readonly orientation: Orientation;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly clipped: boolean;
}

/** A filled outline in the unit square, stretched over a box of the frame. */
export interface ShapeItem extends Item {
  readonly kind: 'shape';
  readonly color: Color;
  /** Path operators in unit coordinates. */
  readonly path: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Lines and backgrounds, which say nothing themselves. */
  readonly isDecoration?: true;
}

export type DisplayItem = TextItem | CodeItem | ImageItem | ShapeItem;

export interface PageDisplayList {
  /** From 1. */
  readonly page: number;
  readonly items: readonly DisplayItem[];
}
