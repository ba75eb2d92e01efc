import fc from 'fast-check';
import LineBreaker from 'linebreak';
import { describe, expect, it } from 'vitest';
import { BASE_CHARSET } from '#fill/fonts/base-charset.ts';
import { embedBaseFace, openBaseFace } from '#fill/fonts/base-face.ts';
import { BUILT_IN_FAMILIES } from '#fill/fonts/bundled-faces.ts';
import { ObjectNumbers } from '#fill/write/tail-object.ts';
import { bundledKit, drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { readPdf } from '../../../../test/support/read-pdf.ts';
import type { TextLine } from '../display-list.ts';
import { markOpportunities, markSimpleOpportunities } from './line-opportunities.ts';
import { BREAK_AFTER, CUT_AFTER } from './paragraph.ts';
import { shapedParagraph } from './shaped-paragraph.ts';

type Mark = typeof markOpportunities;

/** The text with a bar at each position where a line may end. */
function barred(text: string, mark: Mark = markOpportunities): string {
  const marks = new Uint8Array(text.length).fill(CUT_AFTER);
  mark(text, marks);
  let found = '';
  for (let index = 0; index < text.length; index += 1) {
    found += text.charAt(index);
    if (((marks[index] ?? 0) & BREAK_AFTER) !== 0) found += '|';
  }
  return found;
}

function byLibrary(text: string): string {
  const breaker = new LineBreaker(text);
  let found = '';
  let from = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    found += text.slice(from, next.position) + (next.position < text.length ? '|' : '');
    from = next.position;
  }
  return found;
}

const box = {
  id: 't',
  type: 'text' as const,
  page: 1,
  x: 20,
  y: 20,
  width: 60,
  height: 400,
  size: 10,
  wrap: true,
  fit: 'wrap' as const,
  value: { column: 'column_0' },
};

async function drawnLines(value: string, width: number): Promise<readonly TextLine[]> {
  const bench = await drawingBench([{ ...box, width }]);
  const [page] = bench.drawer.layOut(new Map([['column_0', value]])).pages;
  const [item] = page?.items ?? [];
  if (item?.kind !== 'text') throw new Error('no text was drawn');
  return item.lines;
}

/** The lines of a text in a box of this width, in reading order. */
async function linesIn(value: string, width: number): Promise<string[]> {
  const lines = await drawnLines(value, width);
  return lines.map((line) =>
    line.runs
      .map((run) => (run.kind === 'base' ? run.text : run.glyphs.map((glyph) => glyph.text).join('')))
      .join('')
      .replaceAll('\u200b', ''),
  );
}

describe('line break opportunities', () => {
  it('[FILL160] texts of base characters: break like the library for all scripts', () => {
    const characters = [...BASE_CHARSET, 0xa0].map((codePoint) => String.fromCodePoint(codePoint));
    const unit = fc.oneof(
      fc.constantFrom(...'ab1 -.,;:\'"()/?!%$&–—’“” '),
      fc.constantFrom(...characters),
      fc.constant(' '),
    );
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 30 }), (text) => {
        expect(barred(text, markSimpleOpportunities)).toBe(byLibrary(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['a well-known e-mail', 'a |well-|known |e-|mail'],
    ['from 5-6 to -5', 'from |5-6 |to |-5'],
    ['https://example.com/a/b?c=d&e=f', 'https://|example.com/|a/|b?|c=d&e=f'],
    ['and/or 1/2 50% $5 (a) "x"', 'and/|or |1/2 |50% |$5 |(a) |"x"'],
    ['no\u00a0break here', 'no\u00a0break |here'],
    ['one  two', 'one  |two'],
    ['zero\u200bwidth', 'zero\u200b|width'],
    ['（注）ちゃんと', '（注）|ちゃ|ん|と'],
    ['「漢字」、かな。', '「漢|字」、|か|な。'],
    ['価格￥100です', '価|格|￥100|で|す'],
    ['soft\u00adhyphen', 'soft\u00ad|hyphen'],
  ])('[FILL160] %j: breaks where UAX #14 permits', (text, expected) => {
    expect(barred(text)).toBe(expected);
  });

  it('[FILL160] a mark, a joined emoji, a flag: not separated from their character', async () => {
    const lines = await linesIn('漢\u3099漢\u3099👩\u200d👩\u200d👧🇩🇪🇫🇷', 4);
    expect(lines.map((line) => [...line].length)).toEqual([2, 2, expect.any(Number), 2, 2]);
  });

  it('[FILL160] a long URL in a narrow box: breaks at slashes', async () => {
    expect(await linesIn('see https://example.com/orders/2024/invoice?id=7 now', 80)).toEqual([
      'see https://',
      'example.com/',
      'orders/2024/',
      'invoice?id=7 now',
    ]);
  });

  it('[FILL160] Japanese text: no line begins with a small kana or ends with an opening bracket', async () => {
    for (let width = 55; width < 95; width += 3) {
      const lines = await linesIn('お茶（おちゃ）をちょっと飲む（のむ）。', width);
      expect(lines.filter((line) => /^[ゃょっ）。]/.test(line))).toEqual([]);
      expect(lines.filter((line) => line.endsWith('（'))).toEqual([]);
    }
  });
});

describe('soft hyphens', () => {
  const word = 'Donau\u00addampf\u00adschiff';

  it('[FILL161] a break at a soft hyphen: shows a hyphen; elsewhere the soft hyphen draws nothing', async () => {
    expect(await linesIn(word, 200)).toEqual(['Donaudampfschiff']);
    expect(await linesIn(word, 70)).toEqual(['Donaudampf\u00ad', 'schiff']);
    const [first] = await drawnLines(word, 70);
    expect(first?.width).toBeCloseTo(57.25 + 3.33, 1);
    const bench = await drawingBench([{ ...box, width: 70 }]);
    const [page] = await readPdf(bench.pdf(word));
    // pdf.js omits soft hyphens.
    expect(page?.texts.map(({ text }) => text)).toEqual(['Donaudampf', 'schiff']);
    expect(bench.draw(word).warnings).toEqual([]);
  });

  it('[FILL161] a hyphen that would not fit: the line ends at an earlier soft hyphen', async () => {
    expect(await linesIn(word, 60)).toEqual(['Donau\u00ad', 'dampfschiff']);
    expect(await linesIn(word, 61)).toEqual(['Donaudampf\u00ad', 'schiff']);
  });

  it('[FILL161] a word that must be split, or a soft hyphen at the end: no hyphen appears', async () => {
    expect(await linesIn('abcdefgh\u00ad', 30)).toEqual(['abcde', 'fgh']);
    expect(await linesIn('ab\u00ad', 30)).toEqual(['ab']);
  });
});

/** The same for shaped text. No font of its script needs to be installed. */
async function barredShaped(text: string): Promise<string> {
  const kit = await bundledKit();
  const face = kit.face(BUILT_IN_FAMILIES.sans.regular);
  if (face === undefined) throw new Error('the bundled face is not installed');
  const { state } = embedBaseFace(face, kit.subsetter, new ObjectNumbers(1));
  const chain = {
    base: openBaseFace(state, 'F0'),
    face: (place: number) => (place === 0 ? face : undefined),
  };
  const { marks } = shapedParagraph(text, chain, { shaper: kit.shaper, missing: () => {} }).breaks();
  return barred(text, (_, copy) => copy.set(marks));
}

describe('scripts without spaces between words', () => {
  it.each([
    ['Thai', 'ภาษาไทยเป็นภาษา', 'ภา|ษา|ไทย|เป็น|ภา|ษา'],
    ['Thai', 'ศาสตร์ ทั้งหมดๆ พระประเทศเกราะ', 'ศาสตร์ |ทั้งหมดๆ |พระ|ประ|เทศ|เกราะ'],
    ['Lao', 'ພາສາລາວບໍ່ມີ', 'ພາ|ສາ|ລາວ|ບໍ່|ມີ'],
    ['Khmer', 'ភាសាខ្មែរមិន', 'ភា|សា|ខ្មែរ|មិន'],
    ['Burmese', 'မြန်မာဘာသာစကားသည်', 'မြန်|မာ|ဘာ|သာ|စ|ကား|သည်'],
  ])('[FILL162] %s (%s): lines end between syllables', async (_, text, expected) => {
    expect(await barredShaped(text)).toBe(expected);
  });

  it('[FILL162] Thai text that shrinks to its box: breaks lines before it gets smaller', async () => {
    const bench = await drawingBench([{ ...box, width: 80, height: 60, fit: 'shrink' as const }]);
    const cells = new Map([['column_0', 'ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรค']]);
    const [item] = bench.drawer.layOut(cells).pages[0]?.items ?? [];
    expect(item).toMatchObject({ size: 10, clipped: false });
  });

  it('[FILL162] words separated by U+200B: lines end only there', async () => {
    expect(await linesIn('ภาษา\u200bไทย\u200bเป็น\u200bภาษา', 35)).toEqual(['ภาษา', 'ไทยเป็น', 'ภาษา']);
  });
});
