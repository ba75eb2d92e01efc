import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHEET_PRESETS } from '#fill/sheet/presets.ts';
import { box, fillArguments, layoutOf } from '../support/fill-cli.ts';
import { type FoundWord, JudgeRoom, missingJudges, mupdfLines, popplerWords } from '../support/judges.ts';
import { type PageSpec, pagesPdf } from '../support/page-sources.ts';
import { RENDERERS } from '../support/renderings.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/** Makes sheets of labels by the command. Readers must find every row on its label, and nothing outside of the labels. */
const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'mutool');
if (missing.length > 0) console.log(`judges of sheets skipped: ${missing.join(', ')} not installed`);

const room = new JudgeRoom();
let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(async () => {
  room.close();
  await sandbox.remove();
});

const layout = layoutOf([
  { id: 'name', type: 'text', ...box, x: 10, y: 10, width: 100, height: 14, value: { column: 'column_0' } },
]);

/** Makes the sheets of rows named N0, N1, … as labels.pdf. */
async function sheets(page: PageSpec, rows: number, sheet: object, ...further: PageSpec[]): Promise<void> {
  await sandbox.write('source.pdf', pagesPdf([page, ...further]));
  await sandbox.write('layout.json', layout);
  await sandbox.write('rows.csv', Array.from({ length: rows }, (_, row) => `N${row}\n`).join(''));
  const run = await sandbox.run(
    fillArguments('layout.json', 'rows.csv', '--sheet', JSON.stringify(sheet), '--merge', 'out.pdf'),
  );
  expect([run.status, run.stdout]).toEqual([0, '']);
  room.put('labels.pdf', await sandbox.read('out.pdf'));
  const { status, said } = room.try('qpdf', '--check', 'labels.pdf');
  expect([status, said]).toEqual([0, expect.stringContaining('No syntax or stream encoding errors')]);
}

const inked = async (
  by: keyof typeof RENDERERS,
  box: readonly [number, number, number, number],
  page = 1,
) => {
  const picture = await RENDERERS[by](room, 'labels.pdf', 72, page);
  let dark = 0;
  for (let y = box[1]; y < box[3]; y += 1)
    for (let x = box[0]; x < box[2]; x += 1)
      if ((picture.pixels[y * picture.width + x] ?? 255) < 128) dark += 1;
  return dark;
};

const found = (words: readonly FoundWord[], text: string) => words.filter((word) => word.text === text);
/** A label of 70 mm × 37 mm with an original text and a line that leaves the page. */
const label: PageSpec = {
  entries: '/MediaBox[0 0 198 104]',
  content: 'q 3 w 0 50 m 400 50 l S BT /F1 12 Tf 10 20 Td (ORIGINAL) Tj ET',
};

describe.skipIf(missing.length > 0)('sheets of labels', () => {
  it('[FILL241] [FILL242] [BF179] 26 rows on 24 labels: each at its place, with a bookmark to its sheet', async () => {
    await sheets(
      label,
      26,
      { preset: 'zweckform-3474' },
      { content: 'BT /F1 12 Tf 50 50 Td (SECOND) Tj ET' },
    );
    const own = SHEET_PRESETS.find(({ preset }) => preset === 'zweckform-3474')?.geometry;
    if (own === undefined) throw new Error('the preset is missing');
    for (const read of [popplerWords, mupdfLines]) {
      const words = [read(room, 'labels.pdf', 1), read(room, 'labels.pdf', 2)] as const;
      expect([found(words[0], 'ORIGINAL').length, found(words[1], 'ORIGINAL').length]).toEqual([24, 2]);
      expect(found([...words[0], ...words[1]], 'SECOND')).toEqual([]);
      const first = found(words[0], 'N0')[0];
      if (first === undefined) throw new Error('row 1 is missing');
      expect(first.left).toBeCloseTo(10, 0);
      for (let row = 0; row < 26; row += 1) {
        const [word, ...others] = found(words[row < 24 ? 0 : 1], `N${row}`);
        expect(others).toEqual([]);
        expect(word?.left).toBeCloseTo(first.left + (row % 3) * own.pitch_x, 1);
        expect(word?.top).toBeCloseTo(first.top + (Math.floor(row / 3) % 8) * own.pitch_y, 1);
      }
    }
    // One copy of the page's content serves all labels.
    expect(Buffer.from(room.read('labels.pdf')).toString('latin1').split('(ORIGINAL)')).toHaveLength(2);
    const outline = room.run('mutool', 'show', 'labels.pdf', 'outline');
    expect([...outline.matchAll(/#page=(\d+)/g)].map((match) => Number(match[1]))).toEqual([
      ...Array(24).fill(1),
      ...Array(2).fill(2),
    ]);
  });

  it('[FILL241] content beyond the page: clipped, on labels that are larger than the page', async () => {
    const grid = { columns: 1, rows: 2, margin_left: 50, margin_top: 50, pitch_x: 400, pitch_y: 200 };
    await sheets(label, 2, { width: 600, height: 600, ...grid });
    for (const by of ['poppler', 'MuPDF', 'PDFium'] as const) {
      // The page is 198 wide, in the lower left corner: its line ends there.
      expect(await inked(by, [50, 190, 248, 210]), by).toBeGreaterThan(300);
      expect(await inked(by, [250, 0, 600, 600]), by).toBe(0);
    }
  });

  it.each([
    ['a rotated page', '/MediaBox[0 0 104 198]/Rotate 90', 1],
    ['a page upside down', '/MediaBox[0 0 198 104]/Rotate 180', 1],
    ['a page rotated to the left', '/MediaBox[0 0 104 198]/Rotate 270', 1],
    ['a cropped page', '/MediaBox[-50 -60 500 500]/CropBox[20 30 218 134]', 1],
    ['a page with a larger unit', '/MediaBox[0 0 99 52]/UserUnit 2', 1],
    ['a page twice as large as its label', '/MediaBox[0 0 396 208]', 0.5],
  ])('[FILL241] %s: the overlay is where the displayed page has it', async (_, entries, scale) => {
    const grid = { columns: 2, rows: 2, margin_left: 30, margin_top: 40, pitch_x: 220, pitch_y: 120 };
    const size = { label_width: 198, label_height: 104 };
    await sheets({ entries, content: '' }, 4, { width: 500, height: 300, ...grid, ...size });
    for (const read of [popplerWords, mupdfLines]) {
      const words = read(room, 'labels.pdf', 1);
      for (let row = 0; row < 4; row += 1) {
        const [word] = found(words, `N${row}`);
        expect(word?.left).toBeCloseTo(30 + 10 * scale + (row % 2) * 220, 0);
        const inset = (word?.top ?? 0) - 40 - Math.floor(row / 2) * 120;
        expect(inset).toBeGreaterThan(4 * scale);
        expect(inset).toBeLessThan(20 * scale);
      }
    }
  });

  it('[FILL243] [BF175] crop marks and skipped labels: lines in the margins alone', async () => {
    const grid = { columns: 2, rows: 2, margin_left: 30, margin_top: 40, pitch_x: 220, pitch_y: 110 };
    const size = { label_width: 200, label_height: 104 };
    const empty = { entries: '/MediaBox[0 0 198 104]', content: '' };
    await sheets(empty, 1, { width: 480, height: 300, ...grid, ...size, skip: 3, marks: true });
    expect(found(popplerWords(room, 'labels.pdf'), 'N0')[0]?.left).toBeCloseTo(260, 0);
    const text = Buffer.from(room.read('labels.pdf')).toString('latin1');
    const marks = text.match(/[\d.]+ [\d.]+ m [\d.]+ [\d.]+ l S/g) ?? [];
    // Four edges of columns at the top and bottom, four of rows at the left and right.
    expect(marks).toHaveLength(16);
    expect(marks).toContain('30 262 m 30 272 l S');
    expect(marks).toContain('450 44 m 450 34 l S');
    expect(marks).toContain('28 260 m 18 260 l S');
    // No line is in the first three labels or between them.
    expect(await inked('poppler', [30, 40, 450, 145])).toBe(0);
    expect(await inked('poppler', [30, 145, 245, 254])).toBe(0);
  });
});
