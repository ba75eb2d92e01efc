import type { ColumnInput } from '#fill/package/column-input-schema.ts';
import { type ColumnFacts, detectType, misfits } from './column-facts.ts';

/** `Date · day.month.year`, `Number · 1.234,56`, `Text`: how the values of a column are read. */
export function inputWords(input: ColumnInput): string {
  if (input.type === 'text') return 'Text';
  if (input.type === 'number') return `Number · ${input.decimal === ',' ? '1.234,56' : '1,234.56'}`;
  return `Date · ${patternWords(input.pattern)}`;
}

export function patternWords(pattern: string): string {
  return pattern
    .replace('DD', 'day')
    .replace('MM', 'month')
    .replace('YYYY', 'year')
    .replace('YY', 'year (2 digits)');
}

export interface TypeWords {
  readonly words: string;
  /** Values that do not fit. */
  readonly misfits: number;
  /** The values can be read in several ways, and nobody has chosen one. */
  readonly isUnclear: boolean;
}

/** The type of a column: the one that the layout declares, else the detected one. */
export function typeWords(facts: ColumnFacts, declared: ColumnInput | undefined): TypeWords {
  if (declared !== undefined)
    return { words: inputWords(declared), misfits: misfits(facts, declared), isUnclear: false };
  const found = detectType(facts);
  const said = (words: string, fitting: number, isUnclear = false) => ({
    words,
    misfits: facts.filled - fitting,
    isUnclear,
  });
  switch (found.type) {
    case 'blank':
      return said('Blank', 0);
    case 'text':
      return said('Text', facts.filled);
    case 'whole':
      return said('Number', facts.fits['.'] ?? 0);
    case 'iso':
      return said('Date · year-month-day', facts.fits.iso ?? 0);
    case 'number':
      return said(inputWords(found), facts.fits[found.decimal] ?? 0);
    case 'date':
      return { words: inputWords(found), misfits: misfits(facts, found), isUnclear: false };
    case 'unclear': {
      const [first] = found.choices;
      const kind = first?.type === 'date' ? 'Date' : 'Number';
      return said(
        `${kind} · ambiguous`,
        facts.filled - (first === undefined ? 0 : misfits(facts, first)),
        true,
      );
    }
  }
}
