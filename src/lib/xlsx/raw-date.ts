import type { CellFormat } from './cell-format.ts';

const DAY_MS = 86_400_000;
/** Day 0 of the system of 1900, so that day 61 is 1 March 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** The system has a 29 February 1900, which did not exist, so the days before it are off by one. */
const LEAP_DAY = 60;
const DAYS_TO_10000 = 2_958_466;

/**
 * Formats a day number as ISO 8601: a date, a date with time, a time of day if it is less than a day, or a duration if the format counts
 * hours beyond a day. Rounds to the millisecond. Returns null before 1900 and after 9999.
 */
export function rawDate(day: number, { isDuration, epochShift }: CellFormat): string | null {
  const shifted = day + epochShift;
  const days = Math.floor(shifted);
  const ms = Math.round((shifted - days) * DAY_MS);
  if (isDuration) return duration(Math.round(shifted * DAY_MS));
  if (shifted < 0 || shifted >= DAYS_TO_10000) return null;
  if (ms === DAY_MS) return dateTime(days + 1, 0);
  return days === 0 ? timeOf(ms) : dateTime(days, ms);
}

function dateTime(days: number, ms: number): string {
  const date =
    days === LEAP_DAY
      ? '1900-02-29'
      : new Date(EPOCH_MS + (days < LEAP_DAY ? days + 1 : days) * DAY_MS).toISOString().slice(0, 10);
  return ms === 0 ? date : `${date}T${timeOf(ms)}`;
}

/** `08:30:00`, with milliseconds if there are any. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, ms % 1000 === 0 ? 19 : 23);
}

function duration(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  const seconds = Math.abs(ms) / 1000;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = Math.round((seconds % 60) * 1000) / 1000;
  const parts = [hours > 0 && `${hours}H`, minutes > 0 && `${minutes}M`, rest > 0 && `${rest}S`];
  return `${sign}PT${parts.filter(Boolean).join('') || '0S'}`;
}
