import type { TextLine } from '#fill/draw/display-list.ts';
import { missingGlyphs } from '#fill/draw/text/missing-glyphs.ts';
import { setSimpleLine, setText, type TextRules } from '#fill/draw/text/set-text.ts';
import type { FaceChain } from '#fill/draw/text/shaped-paragraph.ts';
import type { TextFaces } from '#fill/draw/text/text-faces.ts';
import type { TableOverlay } from './schema.ts';
import type { ReadyColumn } from './table-columns.ts';

/** The text of a cell, placed in the area inside its padding. */
export interface LaidCell {
  readonly column: ReadyColumn;
  readonly size: number;
  /** From the bottom-left corner of that area, y up. */
  readonly lines: readonly TextLine[];
  readonly clipped: boolean;
}

export interface LaidRow {
  readonly height: number;
  readonly cells: readonly LaidCell[];
}

/** Receives what happened to the text of a row. */
export interface CellNotes {
  spend(kind: 'glyphs', amount: number): void;
  note(code: 'TEXT_CLIPPED' | 'GLYPH_MISSING', message: string): void;
}

/** Heights at which a text is only measured. */
const UNLIMITED = 1e6;
const CLIPPED = 'The text is larger than its cell and was clipped.';

/** Sets the rows of a table. A row is as high as its highest cell, and at least as high as one line. */
export class CellSetter {
  readonly #overlay: TableOverlay;
  readonly #shaper: TextFaces['shaper'];
  /** Height of a row without wrapped text. */
  readonly #least: number;

  constructor(overlay: TableOverlay, shaper: TextFaces['shaper']) {
    const { size, line_height, padding, row_height } = overlay;
    this.#overlay = overlay;
    this.#shaper = shaper;
    this.#least = Math.max(row_height ?? size * line_height + 2 * padding, size + 2 * padding);
  }

  /** A row without text. */
  get emptyRow(): LaidRow {
    return { height: this.#least, cells: [] };
  }

  /** Sets one text per column. */
  row(
    columns: readonly ReadyColumn[],
    texts: readonly string[],
    chain: FaceChain,
    notes: CellNotes,
  ): LaidRow {
    let height = this.#least;
    for (const [index, column] of columns.entries()) {
      const text = texts[index] ?? '';
      if (text === '' || column.column.fit !== 'wrap') continue;
      height = Math.max(height, this.#heightOf(text, column, chain));
    }
    const cells: LaidCell[] = [];
    for (const [index, column] of columns.entries()) {
      const text = texts[index] ?? '';
      if (text === '') continue;
      notes.spend('glyphs', text.length);
      cells.push(this.#cell(text, column, height, chain, notes));
    }
    return { height, cells };
  }

  #cell(text: string, column: ReadyColumn, height: number, chain: FaceChain, notes: CellNotes): LaidCell {
    const rules = this.#rules(column, height);
    const missing = new Set<string>();
    const tools = { shaper: this.#shaper, missing: (character: string) => void missing.add(character) };
    const { size, lines, overflows } =
      setSimpleLine(text, rules, chain.base) ?? setText(text, rules, chain, tools);
    if (overflows) notes.note('TEXT_CLIPPED', CLIPPED);
    if (missing.size > 0) notes.note('GLYPH_MISSING', missingGlyphs(missing, chain));
    return { column, size, lines, clipped: overflows };
  }

  #heightOf(text: string, column: ReadyColumn, chain: FaceChain): number {
    const { size, line_height, padding } = this.#overlay;
    if (setSimpleLine(text, this.#rules(column, this.#least), chain.base) !== undefined) return this.#least;
    const tools = { shaper: this.#shaper, missing: () => undefined };
    const { lines } = setText(text, { ...this.#rules(column, UNLIMITED), valign: 'top' }, chain, tools);
    return (1 + (lines.length - 1) * line_height) * size + 2 * padding;
  }

  #rules({ column, width }: ReadyColumn, height: number): TextRules {
    const { padding, size, min_size, line_height, valign } = this.#overlay;
    return {
      width: Math.max(0.1, width - 2 * padding),
      height: height - 2 * padding,
      size,
      minSize: min_size,
      lineHeight: line_height,
      wrap: column.fit === 'wrap',
      fit: column.fit,
      align: column.align,
      valign,
    };
  }
}
