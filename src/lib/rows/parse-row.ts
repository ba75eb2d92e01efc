import canonicalize from 'canonicalize';
import type { Cell, RowCells } from './row-cells.ts';
import { RowsRefused } from './rows-refused.ts';

/**
 * Parses the JSON text of one row object. `JSON.parse` would round numbers to doubles, but a cell is the text of the number (`1.50`, ids of
 * 20 digits). So this code reads the members, and only strings and nested values use `JSON.parse`. Booleans are `true` and `false`; null and
 * `""` are blank, that is absent. The last of a repeated key wins, as usual in JSON. `__proto__` is rejected at any depth.
 */
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?=[ \t\n\r,}])/y;

/** The meaning of null: blank in the JSON of a client, an error cell in our own JSON of a workbook. */
export type NullCell = 'blank' | 'error';

/** Whether a blank cell keeps its key, so that its column is known to exist. */
export type BlankCells = 'dropped' | 'kept';

/** `row` is 1-based and appears in messages. */
export function parseRow(
  text: string,
  row: number,
  maxColumns: number,
  nullCell: NullCell = 'blank',
  blanks: BlankCells = 'dropped',
): RowCells {
  const cells = new Map<string, Cell>();
  let at = take(SPACE, text, 0);
  if (text[at] !== '{') refuse(row, 'is not an object');
  at = take(SPACE, text, at + 1);
  let members = 0;
  while (text[at] !== '}' || members > 0) {
    const key = readString(text, at, row);
    if (key.value === '__proto__') refuse(row, 'has the key __proto__');
    members += 1;
    if (members > maxColumns || columnIndex(key.value) >= maxColumns) {
      throw new RowsRefused('TOO_MANY_COLUMNS', `Row ${row} has more than ${maxColumns} columns.`);
    }
    at = take(SPACE, text, key.end);
    if (text[at] !== ':') refuse(row, 'is not valid JSON');
    at = take(SPACE, text, at + 1);
    const value = readValue(text, at, row, nullCell);
    if (value.cell === '' && blanks === 'dropped') cells.delete(key.value);
    else cells.set(key.value, value.cell);
    at = take(SPACE, text, value.end);
    if (text[at] === '}') break;
    if (text[at] !== ',') refuse(row, 'is not valid JSON');
    at = take(SPACE, text, at + 1);
  }
  if (take(SPACE, text, at + 1) !== text.length) refuse(row, 'is not valid JSON');
  return cells;
}

function readValue(text: string, at: number, row: number, nullCell: NullCell): { cell: Cell; end: number } {
  const first = text[at];
  if (first === '"') {
    const string = readString(text, at, row);
    return { cell: string.value, end: string.end };
  }
  if (first === '{' || first === '[') {
    const end = endOfNested(text, at);
    return { cell: { json: canonicalJson(text.slice(at, end), row) }, end };
  }
  SCALAR.lastIndex = at;
  const scalar = SCALAR.exec(text)?.[0];
  if (scalar === undefined) refuse(row, 'is not valid JSON');
  const end = at + scalar.length;
  if (scalar === 'null') return { cell: nullCell === 'error' ? null : '', end };
  return { cell: scalar, end };
}

/** A loop, because a pattern that repeats an alternative needs stack for every character of a long string. */
function readString(text: string, at: number, row: number): { value: string; end: number } {
  if (text[at] !== '"') refuse(row, 'is not valid JSON');
  let end = at + 1;
  let escapes = false;
  for (; ; end += 1) {
    const code = text.charCodeAt(end);
    if (code === 34) break;
    // Past the end (NaN) or a raw control character, which RFC 8259 section 7 forbids.
    if (!(code >= 32)) refuse(row, 'is not valid JSON');
    if (code === 92) {
      escapes = true;
      end += 1;
    }
  }
  end += 1;
  const value = escapes ? parseJson(text.slice(at, end), row) : text.slice(at + 1, end - 1);
  if (typeof value !== 'string') refuse(row, 'is not valid JSON');
  // A lone surrogate has no UTF-8 form and no glyph. It becomes U+FFFD here, once, for all later stages.
  return { value: value.isWellFormed() ? value : value.toWellFormed(), end };
}

/** Returns the index after the bracket that closes the one at `at`. The splitter limits the depth. */
function endOfNested(text: string, at: number): number {
  let depth = 0;
  let inString = false;
  for (let i = at; i < text.length; i += 1) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

function canonicalJson(text: string, row: number): string {
  const value = parseJson(text, row, (key, member) => {
    if (key === '__proto__') refuse(row, 'has the key __proto__');
    return typeof member === 'string' ? member.toWellFormed() : member;
  });
  return canonicalize(value) ?? '';
}

function parseJson(text: string, row: number, reviver?: (key: string, member: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    if (error instanceof RowsRefused) throw error;
    return refuse(row, 'is not valid JSON');
  }
}

function columnIndex(key: string): number {
  const digits = /^column_([0-9]+)$/.exec(key)?.[1];
  return digits === undefined ? -1 : Number(digits);
}

function take(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function refuse(row: number, what: string): never {
  throw new RowsRefused('INVALID_ROWS_JSON', `Row ${row} of the rows JSON ${what}.`);
}
