import { describe, expect, it } from 'vitest';
import { type DatePatternPart, parseDatePattern, readDate, readIsoDate, writeDate } from './date-pattern.ts';

function parts(pattern: string): readonly DatePatternPart[] {
  const parsed = parseDatePattern(pattern);
  if (!parsed.ok) throw new Error(`not a pattern: ${pattern}`);
  return parsed.parts;
}

function rewrite(text: string, output: string, input?: string): string | null {
  const date = input === undefined ? readIsoDate(text) : readDate(text, parts(input));
  return date === null ? null : writeDate(date, parts(output));
}

describe('[FILL11] date patterns', () => {
  it.each([
    ['2026-02-28', 'DD.MM.YYYY', '28.02.2026'],
    ['2026-02-08', 'D MMMM YYYY', '8 February 2026'],
    ['2026-02-28', 'dddd, MMM D, YY', 'Saturday, Feb 28, 26'],
    ['2024-02-29', 'ddd', 'Thu'],
    ['2026-12-31T23:59:58+14:00', 'YYYY-MM-DD HH:mm:ss', '2026-12-31 23:59:58'],
    ['2026-12-31 00:05', 'h:mm A', '12:05 AM'],
    ['2026-12-31 12:05Z', 'hh:mm A', '12:05 PM'],
    ['2026-01-02', '[Week of] M/D', 'Week of 1/2'],
  ])('%s by %s is %s', (text, pattern, expected) => {
    expect(rewrite(text, pattern)).toBe(expected);
  });

  it.each([
    ['28.02.2026', 'DD.MM.YYYY', '2026-02-28'],
    ['8/2/26', 'D/M/YY', '2026-02-08'],
    ['february 8, 2026', 'MMMM D, YYYY', '2026-02-08'],
    ['Sun 8 Feb 2026', 'ddd D MMM YYYY', '2026-02-08'],
  ])('%s is read by %s', (text, input, expected) => {
    expect(rewrite(text, 'YYYY-MM-DD', input)).toBe(expected);
  });

  it('reads twelve-hour times', () => {
    expect(rewrite('2026-01-01 12:30 AM', 'HH:mm', 'YYYY-MM-DD h:mm A')).toBe('00:30');
    expect(rewrite('2026-01-01 1:30 pm', 'HH:mm', 'YYYY-MM-DD h:mm A')).toBe('13:30');
  });

  it('knows which days exist', () => {
    for (const text of [
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '1900-02-29',
      '2026-01-01T24:00',
    ]) {
      expect(readIsoDate(text), text).toBeNull();
    }
    expect(readIsoDate('2000-02-29')).not.toBeNull();
  });

  it('leaves alone what does not match', () => {
    for (const text of ['', 'soon', '28.2.2026', '2026-2-3', '20260228'])
      expect(readIsoDate(text)).toBeNull();
    expect(readDate('28.02.2026 extra', parts('DD.MM.YYYY'))).toBeNull();
  });

  it('refuses patterns with unknown letters, open brackets or no token', () => {
    for (const pattern of ['', 'DD.QQ', 'jj', '[open', '---', 'YYY', 'm']) {
      expect(parseDatePattern(pattern).ok, pattern).toBe(false);
    }
  });
});
