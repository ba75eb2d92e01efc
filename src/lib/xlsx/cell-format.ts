import { getFormatDateInfo, getFormatFromId, isValidFormat } from 'numfmt';
import { readXml } from './read-xml.ts';

/** A number format of a workbook (ECMA-376, part 1, section 18.8.31), prepared for cell-text.ts. */
export interface CellFormat {
  readonly pattern: string;
  /** Whether numbers are dates, times of day or durations. */
  readonly isDate: boolean;
  /** Whether hours, minutes or seconds count beyond a day (`[h]:mm`). */
  readonly isDuration: boolean;
  /** Days to add to a date of this workbook; the 1904 system starts 1,462 days after the 1900 system. */
  readonly epochShift: number;
}

const DAYS_FROM_1900_TO_1904 = 1462;
export const GENERAL: CellFormat = { pattern: 'General', isDate: false, isDuration: false, epochShift: 0 };

/** Formats by style number. */
export function readCellFormats(styles: Uint8Array, date1904: boolean): readonly CellFormat[] {
  const codes = new Map<number, string>();
  const used: number[] = [];
  let inCellStyles = false;
  readXml(styles, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') inCellStyles = true;
      if (name === 'xf' && inCellStyles) used.push(Number(numFmtId ?? 0));
    },
    close: (name) => {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  const formats = new Map<number, CellFormat>();
  return used.map((id) => {
    const known = formats.get(id) ?? cellFormat(codes.get(id) ?? getFormatFromId(id) ?? 'General', date1904);
    formats.set(id, known);
    return known;
  });
}

export function cellFormat(code: string, date1904 = false): CellFormat {
  const isDate = isDateCode(code);
  const pattern = withoutLooks(code, isDate);
  if (!isValidFormat(pattern)) return GENERAL;
  const isDuration = isDate && /\[(h+|m+|s+)\]/i.test(pattern);
  return { pattern, isDate, isDuration, epochShift: date1904 && !isDuration ? DAYS_FROM_1900_TO_1904 : 0 };
}

function isDateCode(code: string): boolean {
  try {
    const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
    return year || month || day || hours || minutes || seconds;
  } catch {
    return false;
  }
}

const TOKEN = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|./gsu;
const COLOUR = /^\[(black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]$/i;
const MEANINGFUL = /^\[(h+|m+|s+|[<>=]+[^\]]+|\$.*)\]$/i;

/**
 * Removes what is not part of the text: padding that aligns digits (`_x`, `*x`), colours and tags of other programs. It also removes the
 * language of a number (`[$€-407]`), which does not change its decimal sign, but keeps that of a date, which names the months.
 */
function withoutLooks(code: string, isDate: boolean): string {
  return code.replace(TOKEN, (token) => {
    if (token.length > 1 && (token.startsWith('_') || token.startsWith('*'))) return '';
    if (!token.startsWith('[') || token.length === 1) return token;
    if (COLOUR.test(token) || !MEANINGFUL.test(token)) return '';
    if (isDate || !token.startsWith('[$')) return token;
    const symbol = token.slice(2, -1).replace(/-.*$/, '');
    return symbol === '' ? '' : `[$${symbol}]`;
  });
}
