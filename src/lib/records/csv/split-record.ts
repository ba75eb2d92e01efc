/**
 * One CSV record of a text (RFC 4180). Fields may be quoted; `""` inside quotes is one quote; quoted fields may contain
 * separators and line ends. Line ends are CRLF, LF or CR in any mixture. A quote inside an unquoted field is an
 * ordinary character (`5" pipe`). Text between a closing quote and the next separator is an error, because it is ambiguous.
 *
 * Written here because the same code runs in the browser, where the usual parsers need an emulation of Buffer and streams, and
 * because it is ten times as fast. The tests compare it with csv-parse.
 */
export type SplitRecord =
  | {
      readonly kind: 'record';
      readonly cells: string[];
      /** Index after the record's line end. */
      readonly end: number;
      /** Only white space and separators, no quotes. */
      readonly blank: boolean;
      /** An unquoted field contains a quote, which suggests another separator. */
      readonly strayQuote: boolean;
    }
  /** The text ends inside the record and more may follow. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'too-many-cells' }
  | { readonly kind: 'open-quote'; readonly at: number }
  | { readonly kind: 'text-after-quote'; readonly at: number };

const QUOTE = 34;
const LF = 10;
const CR = 13;

/**
 * Splits the record that starts at `from`. `whole` says that nothing follows `text`, so that its end ends the record. The bounds are
 * checked before every read, because V8 discards its optimised code after a read beyond the end.
 */
export function splitRecord(
  text: string,
  from: number,
  separator: string,
  whole: boolean,
  maxCells = Number.POSITIVE_INFINITY,
): SplitRecord {
  const separatorCode = separator.charCodeAt(0);
  const { length } = text;
  const cells: string[] = [];
  let blank = true;
  let strayQuote = false;
  let at = from;
  for (;;) {
    if (at < length && text.charCodeAt(at) === QUOTE) {
      const field = quotedField(text, at, whole);
      if (typeof field === 'string') {
        return field === 'incomplete' ? { kind: 'incomplete' } : { kind: 'open-quote', at };
      }
      blank = false;
      cells.push(field.value);
      at = field.end;
    } else {
      const start = at;
      for (; at < length; at += 1) {
        const code = text.charCodeAt(at);
        if (code === separatorCode || code === LF || code === CR) break;
      }
      const value = text.slice(start, at);
      if (blank && value.trim() !== '') blank = false;
      if (value.includes('"')) strayQuote = true;
      cells.push(value);
    }
    if (cells.length > maxCells) return { kind: 'too-many-cells' };

    if (at >= length) {
      return whole ? { kind: 'record', cells, end: at, blank, strayQuote } : { kind: 'incomplete' };
    }
    const next = text.charCodeAt(at);
    if (next === separatorCode) {
      at += 1;
    } else if (next === LF) {
      return { kind: 'record', cells, end: at + 1, blank, strayQuote };
    } else if (next === CR) {
      if (at + 1 === length && !whole) return { kind: 'incomplete' };
      const paired = at + 1 < length && text.charCodeAt(at + 1) === LF;
      return { kind: 'record', cells, end: paired ? at + 2 : at + 1, blank, strayQuote };
    } else {
      return { kind: 'text-after-quote', at };
    }
  }
}

/** Splits the record at `from` in a whole text that was read before and so has no errors. */
export function splitKnownRecord(
  text: string,
  from: number,
  separator: string,
): Extract<SplitRecord, { kind: 'record' }> {
  const record = splitRecord(text, from, separator, true);
  if (record.kind !== 'record') throw new Error(`bug: a CSV that was readable before has ${record.kind}`);
  return record;
}

/** Counts the line ends in quoted cells. CRLF counts once. */
export function innerLines(cells: readonly string[]): number {
  let lines = 0;
  for (const cell of cells) if (cell.includes('\n') || cell.includes('\r')) lines += lineEnds(cell);
  return lines;
}

export function lineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function quotedField(
  text: string,
  open: number,
  whole: boolean,
): { value: string; end: number } | 'incomplete' | 'open' {
  let at = open + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return whole ? 'open' : 'incomplete';
    // A quote at the very end may be the first half of an escaped one.
    if (quote + 1 === text.length && !whole) return 'incomplete';
    if (text.charCodeAt(quote + 1) === QUOTE) {
      at = quote + 2;
      continue;
    }
    const raw = text.slice(open + 1, quote);
    return { value: raw.includes('"') ? raw.replaceAll('""', '"') : raw, end: quote + 1 };
  }
}
