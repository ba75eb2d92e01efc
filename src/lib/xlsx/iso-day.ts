import type { CellFormat } from './cell-format.ts';

const ISO = /^(?:(\d{4})-(\d{2})-(\d{2}))?(?:T?(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?Z?$/;
const DAY_MS = 86_400_000;

/** Returns the day number of a cell with an ISO 8601 date (type `d` of ECMA-376) in the date system of the workbook, or `NaN`. */
export function isoDay(text: string, { epochShift }: CellFormat): string {
  const match = ISO.exec(text);
  if (match === null || text === '') return 'NaN';
  const [, year, month, day, hours = 0, minutes = 0, seconds = 0] = match;
  const date =
    year === undefined
      ? 0
      : (Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(1899, 11, 30)) / DAY_MS -
        epochShift;
  return String(date + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400);
}
