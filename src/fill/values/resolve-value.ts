import { parseDatePattern, readDate, readIsoDate, writeDate } from '../format/date-pattern.ts';
import { formatNumber, parseNumberPattern } from '../format/number-pattern.ts';
import { onlySign } from '../format/read-decimal.ts';
import type { DateFormat, NumberFormat, ValueFormat, ValueSource } from '../package/layout-schema.ts';
import { parseTemplate, type TemplatePart } from '../package/template.ts';
import type { ColumnReading, ColumnReadings } from './column-readings.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Turns a layout's value source into a function of one row. Patterns are parsed once per run, not once per row.
 * Mapped cells were checked before (check-cells.ts), so a value is always text; a blank is ''.
 *
 * A format applies to the value of a static or column source, and to each column of a template before it is inserted. A text
 * that the format cannot read (a word instead of a number) is shown unchanged, because the page then shows the data, and is
 * noted once per overlay. A blank is not noted.
 */
export type ReadValue = (cells: RowCells, row: FormatNotes) => string;

/** Receives the notes about one overlay's value. The row context implements it. */
export interface FormatNotes {
  note(code: 'VALUE_FORMAT_UNREAD', message: string): void;
}

/** For callers that show a value and report nothing. */
export const NO_NOTES: FormatNotes = { note: () => undefined };

const NO_READINGS: ColumnReadings = {};

export function compileValue(
  source: ValueSource,
  format?: ValueFormat,
  readings: ColumnReadings = NO_READINGS,
): ReadValue {
  if ('static' in source) return staticReader(source.static, format);
  if ('column' in source) {
    const key = source.column;
    if (format === undefined) return (cells) => cellText(cells, key);
    const formatted = compileFormat(format, readings[key]);
    const unread = `${key} ${expectation(format, readings[key])}`;
    return (cells, row) => {
      const text = cellText(cells, key);
      const shown = formatted(text);
      if (shown !== null) return shown;
      row.note('VALUE_FORMAT_UNREAD', unread);
      return text;
    };
  }
  return templateReader(source.template, format, readings);
}

function staticReader(text: string, format: ValueFormat | undefined): ReadValue {
  if (format === undefined) return () => text;
  // A static value is a column of one value: it determines its own sign.
  const shown = compileFormat(format, onlySign(text) ?? '.')(text);
  if (shown !== null) return () => shown;
  const unread = `The layout's own value ${expectation(format)}`;
  return (_, row) => {
    row.note('VALUE_FORMAT_UNREAD', unread);
    return text;
  };
}

function templateReader(
  template: string,
  format: ValueFormat | undefined,
  readings: ColumnReadings,
): ReadValue {
  const parsed = parseTemplate(template);
  if (!parsed.ok) throw new Error('bug: the layout schema accepted a malformed template');
  const read = compileParts(parsed.parts, format, readings);
  return (cells, row) => {
    let text = '';
    read(cells, row, (piece) => {
      text += piece;
    });
    return text;
  };
}

/** Passes the text of each part of a template to `add`, in order. */
export type ReadParts = (
  cells: RowCells,
  row: FormatNotes,
  add: (text: string, index: number) => void,
) => void;

export function compileParts(
  source: readonly TemplatePart[],
  format: ValueFormat | undefined,
  readings: ColumnReadings = NO_READINGS,
): ReadParts {
  const parts = source.map((part) =>
    'text' in part || format === undefined
      ? part
      : { ...part, formatted: compileFormat(format, readings[part.column]) },
  );
  return (cells, row, add) => {
    const unread: string[] = [];
    for (const [index, part] of parts.entries()) {
      if ('text' in part) {
        add(part.text, index);
        continue;
      }
      const cell = cellText(cells, part.column);
      const shown = 'formatted' in part ? part.formatted(cell) : cell;
      if (shown === null && !unread.includes(part.column)) unread.push(part.column);
      add(shown ?? cell, index);
    }
    if (format !== undefined && unread.length > 0)
      row.note('VALUE_FORMAT_UNREAD', `${unread.join(', ')} ${expectation(format)}`);
  };
}

/** A cell's text; blank cells and structured ones (whose row fails anyway if they are mapped) are ''. */
export function cellText(cells: RowCells, key: string): string {
  const cell = cells.get(key);
  return typeof cell === 'string' ? cell : '';
}

/** The end of a note. It never contains the value. */
function expectation(format: ValueFormat, reading?: ColumnReading): string {
  if ('date' in format) {
    const input = inputOf(format, reading);
    const form = input === undefined ? 'YYYY-MM-DD' : `${input} or YYYY-MM-DD`;
    return `is not a date written ${form}; it is shown unchanged.`;
  }
  const sign = { '.': ' with a decimal point', ',': ' with a decimal comma', none: '' }[
    format.input_decimal ?? 'none'
  ];
  return `is not a number${sign} that can be read with certainty; it is shown unchanged.`;
}

/** Returns null if the text is not blank and cannot be read. */
type FormatText = (text: string) => string | null;

function compileFormat(format: ValueFormat, reading: ColumnReading = '.'): FormatText {
  if (reading === 'text') return (text) => text;
  const formatted = 'number' in format ? compileNumber(format, reading) : compileDate(format, reading);
  return (text) => {
    if (text === '') return '';
    const shown = formatted(text);
    return shown === null && text.trim() === '' ? text : shown;
  };
}

function compileNumber(format: NumberFormat, reading: Exclude<ColumnReading, 'text'>): FormatText {
  const parsed = parseNumberPattern(format.number);
  if (!parsed.ok) throw new Error('bug: the layout schema accepted a bad number pattern');
  const sign = format.input_decimal ?? (typeof reading === 'string' ? reading : '.');
  return (text) => formatNumber(text, parsed.pattern, format, sign);
}

/** The pattern of the format, else that of the column. */
const inputOf = ({ input }: DateFormat, reading: ColumnReading | undefined): string | undefined =>
  input ?? (typeof reading === 'object' ? reading.date : undefined);

function compileDate(format: DateFormat, reading: ColumnReading): FormatText {
  const output = parseDatePattern(format.date);
  const pattern = inputOf(format, reading);
  const input = pattern === undefined ? null : parseDatePattern(pattern);
  if (!output.ok || input?.ok === false)
    throw new Error('bug: the layout schema accepted a bad date pattern');
  return (text) => {
    const date = (input === null ? null : readDate(text, input.parts)) ?? readIsoDate(text);
    return date === null ? null : writeDate(date, output.parts, format.language);
  };
}
