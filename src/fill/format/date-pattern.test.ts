import { describe, expect, it } from 'vitest';
import { DATE_LANGUAGES, type DateLanguage, dateNames } from './date-names.ts';
import { type DatePatternPart, parseDatePattern, readDate, readIsoDate, writeDate } from './date-pattern.ts';

function parts(pattern: string): readonly DatePatternPart[] {
  const parsed = parseDatePattern(pattern);
  if (!parsed.ok) throw new Error(`not a pattern: ${pattern}`);
  return parsed.parts;
}

function rewrite(text: string, output: string, input?: string, language?: DateLanguage): string | null {
  const date = input === undefined ? readIsoDate(text) : readDate(text, parts(input));
  return date === null ? null : writeDate(date, parts(output), language);
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
  ])('%s formatted as %s: %s', (text, pattern, expected) => {
    expect(rewrite(text, pattern)).toBe(expected);
  });

  it.each([
    ['28.02.2026', 'DD.MM.YYYY', '2026-02-28'],
    ['8/2/26', 'D/M/YY', '2026-02-08'],
    ['february 8, 2026', 'MMMM D, YYYY', '2026-02-08'],
    ['Sun 8 Feb 2026', 'ddd D MMM YYYY', '2026-02-08'],
  ])('%s with the input pattern %s: read', (text, input, expected) => {
    expect(rewrite(text, 'YYYY-MM-DD', input)).toBe(expected);
  });

  it.each([
    ['de', '8. März 2026', 'D. MMMM YYYY'],
    ['de', 'Sonntag, 8. März 2026', 'dddd, D. MMMM YYYY'],
    ['de', 'So, 8. März 2026', 'ddd, D. MMM YYYY'],
    ['fr', 'dimanche 8 mars 2026', 'dddd D MMMM YYYY'],
    ['es', '8 de marzo de 2026', 'D [de] MMMM [de] YYYY'],
    ['it', 'domenica 8 marzo 2026', 'dddd D MMMM YYYY'],
    ['nl', 'zo 8 mrt 2026', 'ddd D MMM YYYY'],
    ['pt', 'dom., 8 mar. 2026', 'ddd, D MMM YYYY'],
    ['pl', 'niedziela, 8 marca 2026', 'dddd, D MMMM YYYY'],
    ['pl', 'marzec 2026', 'MMMM YYYY'],
    ['en', 'Mar 8', 'MMM D'],
  ] as const)('[FILL152] names in %s: %s', (language, expected, pattern) => {
    expect(rewrite('2026-03-08', pattern, undefined, language)).toBe(expected);
  });

  it.each([
    ['8. FEBRUAR 2026', 'D. MMMM YYYY'],
    ['8 févr. 2026', 'D MMM YYYY'],
    ['8 févr 2026', 'D MMM YYYY'],
    ['8 fe\u0301vrier 2026', 'D MMMM YYYY'],
    ['8 lutego 2026', 'D MMMM YYYY'],
    ['8 luty 2026', 'D MMMM YYYY'],
    ['8 Feb. 2026', 'D MMM. YYYY'],
    ['8 Feb 2026', 'D MMM. YYYY'],
    ['8 February 2026', 'D MMM YYYY'],
    ['8 de febrero de 2026', 'D [de] MMMM [de] YYYY'],
    ['dom. 8 fev. 2026', 'ddd D MMM YYYY'],
    ['zondag 8 februari 2026', 'dddd D MMMM YYYY'],
  ])('[FILL152] %s with the input pattern %s: read as 8 February', (text, input) => {
    expect(rewrite(text, 'YYYY-MM-DD', input)).toBe('2026-02-08');
  });

  it('[FILL152] every month name of every language: reads back as its month', () => {
    for (const language of DATE_LANGUAGES) {
      for (let month = 1; month <= 12; month += 1) {
        const iso = `2026-${String(month).padStart(2, '0')}-17`;
        for (const pattern of ['dddd D MMMM YYYY', 'ddd D MMM YYYY', 'D/MMMM/YYYY', 'DD.MMM.YYYY']) {
          const written = rewrite(iso, pattern, undefined, language) ?? '';
          expect(rewrite(written, 'YYYY-MM-DD', pattern), `${language} ${written}`).toBe(iso);
        }
      }
    }
  });

  it('[FILL152] long names: agree with the Unicode data of Node', () => {
    for (const language of DATE_LANGUAGES) {
      const name = (type: 'month' | 'weekday', options: Intl.DateTimeFormatOptions, day: number, month = 0) =>
        new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
          .formatToParts(new Date(Date.UTC(2026, month, day)))
          .find((part) => part.type === type)?.value;
      const names = dateNames(language);
      names.months.forEach((own, month) => {
        expect(own).toBe(name('month', { month: 'long' }, 1, month));
      });
      names.monthsAfterDay.forEach((own, month) => {
        expect(own).toBe(name('month', { month: 'long', day: 'numeric' }, 1, month));
      });
      names.weekdays.forEach((own, day) => {
        expect(own).toBe(name('weekday', { weekday: 'long' }, 4 + day));
      });
    }
  });

  it.each(['2026-02-08T10', '2026-02-08T10:15:30,250+01', '2026-02-08t10:15z', '2026-02-08 10:15:30.5Z'])(
    '[FILL11] %s: read as ISO 8601',
    (text) => {
      expect(rewrite(text, 'YYYY-MM-DD HH')).toBe('2026-02-08 10');
    },
  );

  it('twelve-hour times: read', () => {
    expect(rewrite('2026-01-01 12:30 AM', 'HH:mm', 'YYYY-MM-DD h:mm A')).toBe('00:30');
    expect(rewrite('2026-01-01 1:30 pm', 'HH:mm', 'YYYY-MM-DD h:mm A')).toBe('13:30');
  });

  it('days that do not exist: not read', () => {
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

  it('text that does not match: unchanged', () => {
    for (const text of ['', 'soon', '28.2.2026', '2026-2-3', '20260228'])
      expect(readIsoDate(text)).toBeNull();
    expect(readDate('28.02.2026 extra', parts('DD.MM.YYYY'))).toBeNull();
  });

  it('patterns with unknown letters, open brackets or no token: rejected', () => {
    for (const pattern of ['', 'DD.QQ', 'jj', '[open', '---', 'YYY', 'm']) {
      expect(parseDatePattern(pattern).ok, pattern).toBe(false);
    }
  });
});
