import { PDFiumLibrary } from '@hyzyla/pdfium';
import { afterAll, describe, expect, it } from 'vitest';
import { drawingBench } from '../support/drawn-row-pdf.ts';
import { JudgeRoom, missingJudges, mupdfLines, popplerWords } from '../support/judges.ts';

const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'mutool');
if (missing.length > 0) console.log(`judges of scripts skipped: ${missing.join(', ')} not installed`);

const SCRIPTS = [
  ['Latin', 'Þórður Ñandú, Łódź – “Straße” €5'],
  ['Greek and Cyrillic', 'Ωmega Ελλάδα Привет мир'],
  ['Arabic', 'مرحبا بالعالم'],
  ['Hebrew', 'שלום עולם'],
  ['Devanagari', 'हिन्दी में क्षेत्र'],
  ['Thai', 'ภาษาไทย น้ำ ก่อนนี้'],
  ['Chinese and Japanese', '漢字かな 中文测试'],
  ['Latin and Hebrew', 'Order שלום now'],
  ['emoji and symbols', 'ok 😍 ✓ ∑ →'],
] as const;

const box = { id: 't', type: 'text' as const, page: 1, x: 72, y: 100, width: 400, height: 30, size: 16 };
const value = { column: 'column_0' };
/** More bytes than the three header lines of a PGM file. */
const PGM_HEADER = 20;
const plain = (text: string) => text.replaceAll(/[\u200b-\u200f\u202a-\u202e\s]+/g, ' ').trim();

describe.skipIf(missing.length > 0)('text in other readers', () => {
  const room = new JudgeRoom();
  afterAll(() => room.close());

  it.each(SCRIPTS)('[FILL65] %s: poppler reads it as written', async (_, text) => {
    const bench = await drawingBench([{ ...box, value }]);
    room.put('text.pdf', bench.pdf(text));
    expect(room.run('qpdf', '--check', 'text.pdf')).toContain('No syntax or stream encoding errors');
    expect(plain(room.run('pdftotext', 'text.pdf', '-'))).toBe(text);
  });

  it.each(['السلام عليكم', 'لا إله إلا الله', 'ملأ الأرض', 'Order السلام now'])(
    '[FILL166] poppler, PDFium and MuPDF on Arabic ligatures (%s): find the letters in the order written',
    async (text) => {
      const bench = await drawingBench([{ ...box, value }]);
      const pdf = bench.pdf(text);
      room.put('ligatures.pdf', pdf);
      expect(plain(room.run('pdftotext', 'ligatures.pdf', '-'))).toBe(text);
      const pdfium = await PDFiumLibrary.init();
      const document = await pdfium.loadDocument(pdf);
      expect(plain(document.getPage(0).getText())).toBe(text);
      document.destroy();
      pdfium.destroy();
      // MuPDF lists right-to-left words in visual order, from left to right.
      const found = plain(room.run('mutool', 'draw', '-q', '-F', 'txt', 'ligatures.pdf'));
      const turned = found.replaceAll(/[\u0600-\u06ff]+(?: [\u0600-\u06ff]+)*/g, (run) =>
        [...run].reverse().join(''),
      );
      expect(turned).toBe(text);
    },
  );

  it.each(['left', 'center', 'right'] as const)(
    '[FILL63] poppler and MuPDF find %s-aligned text in its place',
    async (align) => {
      const bench = await drawingBench([{ ...box, value, align }]);
      room.put('place.pdf', bench.pdf('Lovelace'));
      const [page] = bench.drawer.layOut(new Map([['column_0', 'Lovelace']])).pages;
      const [item] = page?.items ?? [];
      if (item?.kind !== 'text') throw new Error('no text was drawn');
      const left = 72 + (item.lines[0]?.x ?? 0);
      for (const found of [popplerWords(room, 'place.pdf'), mupdfLines(room, 'place.pdf')]) {
        expect(found.map((word) => word.text)).toEqual(['Lovelace']);
        expect(Math.abs((found[0]?.left ?? 0) - left)).toBeLessThan(1.5);
        expect(Math.abs((found[0]?.top ?? 0) - 100)).toBeLessThan(1.5);
      }
    },
  );

  it('[FILL66] a character without a font: poppler shows the replacement glyph', async () => {
    const bench = await drawingBench([{ ...box, value }]);
    const inked = (text: string) => {
      room.put('missing.pdf', bench.pdf(text));
      room.run('pdftoppm', '-r', '100', '-gray', 'missing.pdf', 'missing');
      const pixels = room.read('missing-1.pgm');
      return pixels.subarray(PGM_HEADER).some((pixel) => pixel < 128);
    };
    expect(inked('\u{1242b}')).toBe(true);
    expect(inked('\u200b')).toBe(false);
  });

  it('[FILL62] clipped text: poppler cannot copy it', async () => {
    const bench = await drawingBench([{ ...box, value, width: 80, fit: 'clip' }]);
    room.put('clipped.pdf', bench.pdf('public and then a secret'));
    const found = room.run('pdftotext', 'clipped.pdf', '-');
    expect(found).toContain('public');
    expect(found).not.toContain('secret');
  });
});
