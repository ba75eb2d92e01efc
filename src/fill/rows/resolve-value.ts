import { parseDatePattern, readDate, readIsoDate, writeDate } from '../format/date-pattern.ts';
import { formatNumber, parseNumberPattern } from '../format/number-pattern.ts';
import type { ValueFormat, ValueSource } from '../package/layout-schema.ts';
import { parseTemplate } from '../package/template.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Turns a layout's value source into a function of one row. Patterns are parsed once per run, not once per row.
 * Mapped cells have been checked before (check-cells.ts), so a value is always text; blank is ''.
 *
 * A format applies to the value of a static or column source, and to each column of a template before it is put
 * in. A text that the format cannot read (a word where a number is expected) is shown as it came: the page then
 * shows what the data says, which is easier to find than a hole.
 */
export type ReadValue = (cells: RowCells) => string;

export function compileValue(source: ValueSource, format?: ValueFormat): ReadValue {
  const formatted = compileFormat(format);
  if ('static' in source) {
    const text = formatted(source.static);
    return () => text;
  }
  if ('column' in source) {
    const key = source.column;
    return (cells) => formatted(cellText(cells, key));
  }
  const template = parseTemplate(source.template);
  if (!template.ok) throw new Error('bug: the layout schema let a malformed template pass');
  return (cells) => {
    let text = '';
    for (const part of template.parts) {
      text += 'text' in part ? part.text : formatted(cellText(cells, part.column));
    }
    return text;
  };
}

/** A cell's text; blank cells and structured ones (whose row fails anyway if they are mapped) are ''. */
export function cellText(cells: RowCells, key: string): string {
  const cell = cells.get(key);
  return typeof cell === 'string' ? cell : '';
}

function compileFormat(format: ValueFormat | undefined): (text: string) => string {
  if (format === undefined) return (text) => text;
  if ('number' in format) {
    const parsed = parseNumberPattern(format.number);
    if (!parsed.ok) throw new Error('bug: the layout schema let a bad number pattern pass');
    return (text) => (text === '' ? '' : (formatNumber(text, parsed.pattern, format) ?? text));
  }
  const output = parseDatePattern(format.date);
  const input = format.input === undefined ? null : parseDatePattern(format.input);
  if (!output.ok || input?.ok === false)
    throw new Error('bug: the layout schema let a bad date pattern pass');
  return (text) => {
    if (text === '') return '';
    const date = (input === null ? null : readDate(text, input.parts)) ?? readIsoDate(text);
    return date === null ? text : writeDate(date, output.parts);
  };
}
