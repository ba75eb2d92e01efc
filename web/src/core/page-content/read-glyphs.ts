import { apply, type Matrix, product } from '../geometry/matrix.ts';
import { isMatrix } from './walk-operators.ts';

/** A printed character: `x` and `baseline` where it starts, its advance and its font size as displayed. */
export interface MarkGlyph {
  readonly text: string;
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
  readonly size: number;
}

/** The text operators of ISO 32000-2 §9.3 and §9.4, by their pdf.js numbers. */
export interface TextOperators {
  readonly beginText: number;
  readonly setFont: number;
  readonly setCharSpacing: number;
  readonly setWordSpacing: number;
  readonly setHScale: number;
  readonly setLeading: number;
  readonly setTextRise: number;
  readonly moveText: number;
  readonly setLeadingMoveText: number;
  readonly setTextMatrix: number;
  readonly nextLine: number;
  readonly showText: number;
  readonly showSpacedText: number;
  readonly nextLineShowText: number;
  readonly nextLineSetSpacingShowText: number;
}

interface TextState {
  size: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const LEVEL = 0.02; // sine of the slant up to which text counts as horizontal
const UNITS = 1_000;
const MOST_GLYPHS = 60_000;

/** Follows the text state through an operator list and collects the horizontal glyphs with their positions. */
export class GlyphReader {
  readonly glyphs: MarkGlyph[] = [];
  readonly #handlers: ReadonlyMap<number, (operands: readonly unknown[], matrix: Matrix) => void>;
  #state: TextState = { size: 1, charSpacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0 };
  #stack: TextState[] = [];
  #line: Matrix = IDENTITY;
  #x = 0;

  constructor(numbers: TextOperators) {
    const number = (value: unknown) => Number(value) || 0;
    this.#handlers = new Map<number, (operands: readonly unknown[], matrix: Matrix) => void>([
      [numbers.beginText, () => this.#startLine(IDENTITY)],
      [numbers.setFont, ([, size]) => this.#set({ size: number(size) })],
      [numbers.setCharSpacing, ([value]) => this.#set({ charSpacing: number(value) })],
      [numbers.setWordSpacing, ([value]) => this.#set({ wordSpacing: number(value) })],
      [numbers.setHScale, ([value]) => this.#set({ scale: number(value) / 100 || 1 })],
      [numbers.setLeading, ([value]) => this.#set({ leading: number(value) })],
      [numbers.setTextRise, ([value]) => this.#set({ rise: number(value) })],
      [numbers.moveText, ([x, y]) => this.#move(number(x), number(y))],
      [
        numbers.setLeadingMoveText,
        ([x, y]) => {
          this.#set({ leading: -number(y) });
          this.#move(number(x), number(y));
        },
      ],
      [numbers.setTextMatrix, (operands) => this.#startLine(matrixIn(operands))],
      [numbers.nextLine, () => this.#move(0, -this.#state.leading)],
      [numbers.showText, ([glyphs], matrix) => this.#show(glyphs, matrix)],
      [numbers.showSpacedText, ([glyphs], matrix) => this.#show(glyphs, matrix)],
      [
        numbers.nextLineShowText,
        ([glyphs], matrix) => {
          this.#move(0, -this.#state.leading);
          this.#show(glyphs, matrix);
        },
      ],
      [
        numbers.nextLineSetSpacingShowText,
        ([wordSpacing, charSpacing, glyphs], matrix) => {
          this.#set({ wordSpacing: number(wordSpacing), charSpacing: number(charSpacing) });
          this.#move(0, -this.#state.leading);
          this.#show(glyphs, matrix);
        },
      ],
    ]);
  }

  /** Returns whether the operator was a text operator. */
  take(operator: number, operands: readonly unknown[], matrix: Matrix): boolean {
    const handler = this.#handlers.get(operator);
    handler?.(operands, matrix);
    return handler !== undefined;
  }

  save(): void {
    this.#stack.push({ ...this.#state });
  }

  restore(): void {
    this.#state = this.#stack.pop() ?? this.#state;
  }

  #set(change: Partial<TextState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #startLine(matrix: Matrix): void {
    this.#line = matrix;
    this.#x = 0;
  }

  #move(x: number, y: number): void {
    this.#startLine(product(this.#line, [1, 0, 0, 1, x, y]));
  }

  #show(glyphs: unknown, matrix: Matrix): void {
    if (!Array.isArray(glyphs)) return;
    const { size, charSpacing, wordSpacing, scale, rise } = this.#state;
    const text = product(matrix, this.#line);
    const length = Math.hypot(text[0], text[1]);
    const isLevel = text[0] > 0 && Math.abs(text[1]) <= LEVEL * length;
    const shownSize = Math.abs(size) * Math.hypot(text[2], text[3]);
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        this.#x -= ((glyph * size) / UNITS) * scale;
        continue;
      }
      const { unicode = '', width = 0, isSpace = false } = (glyph ?? {}) as Partial<GlyphOfPdfjs>;
      const advance = ((width * size) / UNITS) * scale;
      if (isLevel && unicode.trim() !== '' && this.glyphs.length < MOST_GLYPHS) {
        const [x, baseline] = apply(text, this.#x, rise);
        this.glyphs.push({ text: unicode, x, baseline, width: advance * length, size: shownSize });
      }
      this.#x += advance + (charSpacing + (isSpace ? wordSpacing : 0)) * scale;
    }
  }
}

interface GlyphOfPdfjs {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
}

function matrixIn(operands: readonly unknown[]): Matrix {
  const [first] = operands;
  if (isMatrix(first)) return first;
  return isMatrix(operands) ? operands : IDENTITY;
}
