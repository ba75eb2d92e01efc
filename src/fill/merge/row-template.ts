/**
 * An object that every row writes again with its own numbers. Holes are written in braces, which never occur in a base: its
 * writer escapes them in names, and strings are hexadecimal.
 */
export type RowTemplate = readonly (string | Hole)[];

export interface Hole {
  readonly kind: 'parent' | 'slot' | 'page' | 'annotation';
  /** The number of a slot in the base, or the index of a page or annotation. */
  readonly which: number;
}

/** The object numbers of one row. */
export interface RowNumbers {
  readonly parent: number;
  /** By number in the base. Slots in which the row draws nothing stay shared. */
  readonly slots: ReadonlyMap<number, number>;
  readonly pages: readonly number[];
  readonly annotations: readonly number[];
}

export const hole = (kind: Hole['kind'], which = 0): string => `{${kind} ${which}}`;

const HOLE = /\{(parent|slot|page|annotation) (\d+)\}/g;

export function rowTemplate(text: string): RowTemplate {
  const pieces: (string | Hole)[] = [];
  let from = 0;
  for (const match of text.matchAll(HOLE)) {
    const [found, kind, which] = match;
    pieces.push(text.slice(from, match.index), { kind: kind as Hole['kind'], which: Number(which) });
    from = match.index + found.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

export function instantiate(template: RowTemplate, numbers: RowNumbers): string {
  let text = '';
  for (const piece of template)
    text += typeof piece === 'string' ? piece : `${numberFor(piece, numbers)} 0 R`;
  return text;
}

function numberFor({ kind, which }: Hole, { parent, slots, pages, annotations }: RowNumbers): number {
  if (kind === 'parent') return parent;
  if (kind === 'slot') return slots.get(which) ?? which;
  const number = (kind === 'page' ? pages : annotations)[which];
  if (number === undefined) throw new Error(`bug: a row has no ${kind} ${which}`);
  return number;
}
