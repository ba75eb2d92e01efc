import { parseTemplate, type TemplatePart } from './template.ts';
import type { ValueSource } from './value-schema.ts';

/**
 * Markup in the text of a layout: `**bold**`, `*italic*`, `__underline__` and `[coloured](#c00000)`. They can be combined, and a
 * backslash before one of `* _ [ ] \` makes it ordinary text. Only the layout's own text is read: a placeholder is a part of its own,
 * so the value of a row is never markup. A mark without its counterpart is ordinary text and a problem that sealing reports.
 */
export interface TextStyle {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  /** `#rgb` or `#rrggbb`. */
  readonly color?: string;
}

export type StyledPart = TemplatePart & { readonly style: TextStyle };

export interface ParsedMarkup {
  readonly parts: readonly StyledPart[];
  /** What is wrong with the marks; undefined if every mark has its counterpart. */
  readonly problem: string | undefined;
}

const TOKEN = /\\[*_[\]\\]|\*\*|\*|__|\[|\]\(#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\)|\]/g;
const TOGGLES = { '**': 'bold', '*': 'italic', __: 'underline' } as const;
type Toggle = keyof typeof TOGGLES;
const isToggle = (mark: string): mark is Toggle => Object.hasOwn(TOGGLES, mark);

/** A piece of the text: a part, or a mark that becomes text if it has no counterpart. */
type Piece = { readonly part: TemplatePart } | { readonly mark: string };

/** The styled parts of a value. The values of a column alone are never markup. */
export function parseMarkup(value: ValueSource): ParsedMarkup {
  const pieces = partsOf(value).flatMap((part): Piece[] =>
    'text' in part ? piecesOf(part.text) : [{ part }],
  );
  const { literal, colors, problem } = pair(pieces);
  const state = { bold: false, italic: false, underline: false };
  const open: string[] = [];
  const parts: StyledPart[] = [];
  pieces.forEach((piece, index) => {
    const part = 'part' in piece ? piece.part : literal.has(index) ? { text: piece.mark } : undefined;
    if (part !== undefined) {
      const color = open.at(-1);
      parts.push({ ...part, style: { ...state, ...(color !== undefined && { color }) } });
      return;
    }
    const { mark } = piece as { mark: string };
    const color = colors.get(index);
    if (isToggle(mark)) state[TOGGLES[mark]] = !state[TOGGLES[mark]];
    else if (color !== undefined) open.push(color);
    else open.pop();
  });
  return { parts, problem };
}

function partsOf(value: ValueSource): readonly TemplatePart[] {
  if ('column' in value) return [{ column: value.column }];
  if ('static' in value) return [{ text: value.static }];
  const parsed = parseTemplate(value.template);
  return parsed.ok ? parsed.parts : [{ text: value.template }];
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (literal: string) => {
    if (literal !== '') pieces.push({ part: { text: literal } });
  };
  let from = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    add(text.slice(from, index));
    if (token.startsWith('\\')) add(token.slice(1));
    else pieces.push({ mark: token });
    from = index + token.length;
  }
  add(text.slice(from));
  return pieces;
}

/** Finds the marks that are ordinary text, and the colour of each opening bracket. */
function pair(pieces: readonly Piece[]) {
  const literal = new Set<number>();
  const colors = new Map<number, string>();
  const lastOpen = new Map<Toggle, number>();
  const brackets: number[] = [];
  let problem: string | undefined;
  pieces.forEach((piece, index) => {
    if (!('mark' in piece)) return;
    const { mark } = piece;
    if (isToggle(mark)) {
      if (!lastOpen.delete(mark)) lastOpen.set(mark, index);
    } else if (mark === '[') brackets.push(index);
    else {
      const start = brackets.pop();
      if (mark === ']' || start === undefined) {
        // A pair of brackets without a colour is ordinary text.
        literal.add(index);
        if (start === undefined) problem ??= BRACKET;
        else literal.add(start);
      } else colors.set(start, mark.slice(2, -1));
    }
  });
  for (const start of brackets) {
    literal.add(start);
    problem ??= BRACKET;
  }
  for (const [mark, index] of lastOpen) {
    literal.add(index);
    problem ??= `${mark} is not closed; write ${mark.replace(/./g, '\\$&')} for the characters`;
  }
  return { literal, colors, problem };
}

const BRACKET = 'a bracket has no counterpart; write \\[ or \\] for the character';
