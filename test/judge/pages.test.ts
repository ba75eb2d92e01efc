import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { fill, layoutOf, runFill } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges, mupdfLines, popplerWords } from '../support/judges.ts';
import { hybridPdf, nestedPagesPdf, pagesPdf } from '../support/page-sources.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/**
 * Fills sources with every page and file structure by the command. The output passes qpdf's check, keeps the page's text,
 * and has the overlays where they were placed, as two readers display it.
 */
const missing = missingJudges('qpdf', 'pdftotext', 'mutool');
if (missing.length > 0) console.log(`judges of pages skipped: ${missing.join(', ')} not installed`);

const room = new JudgeRoom();
let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(async () => {
  room.close();
  await sandbox.remove();
});

/** Rewrites a plain source with qpdf, to create file structures that we do not write ourselves. */
function byQpdf(source: Uint8Array, ...args: string[]): Uint8Array {
  room.put('plain.pdf', source);
  room.run('qpdf', ...args, 'plain.pdf', 'made.pdf');
  return room.read('made.pdf');
}

/** Does the same with MuPDF: appends a revision that rotates the page. */
function revisedByMupdf(source: Uint8Array): Uint8Array {
  room.put('plain.pdf', source);
  room.put(
    'revise.js',
    `var doc = new PDFDocument('plain.pdf'); doc.findPage(0).put('Rotate', 180); doc.save('made.pdf', 'incremental');`,
  );
  room.run('mutool', 'run', 'revise.js');
  const made = room.read('made.pdf');
  expect(Buffer.from(made.subarray(0, source.length)).equals(source)).toBe(true);
  expect(made.length).toBeGreaterThan(source.length);
  return made;
}

/** Appends a revision that repeats the page object with another rotation. */
function withRevision(source: Uint8Array): Uint8Array {
  const text = Buffer.from(source).toString('latin1');
  const page = /(\d+) 0 obj\n(<<\/Type\/Page\/[^\n]*)>>\n/.exec(text);
  const size = /\/Size (\d+)/.exec(text)?.[1];
  const root = /\/Root (\d+) 0 R/.exec(text)?.[1];
  const startxref = /startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1];
  if (page === null || size === undefined) throw new Error('the plain source has another form');
  const added = `${page[1]} 0 obj\n${page[2]}/Rotate 180>>\nendobj\n`;
  const table = `xref\n${page[1]} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<</Size ${size}/Root ${root} 0 R/Prev ${startxref}>>\nstartxref\n${text.length + added.length}\n%%EOF\n`;
  return Buffer.from(text + added + table + trailer, 'latin1');
}

async function printedByChromium(): Promise<Uint8Array> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.setContent('<body style="margin:200px"><p>ORIGINAL</p></body>');
    return await page.pdf({ width: '612px', height: '792px' });
  } finally {
    await browser.close();
  }
}

const plain = () => pagesPdf([{}]);
const page = (entries: string, inherited?: string) => pagesPdf([{ entries }], inherited);
const encrypted = (...args: string[]) =>
  byQpdf(plain(), '--allow-weak-crypto', '--encrypt', '', 'owner', ...args, '--');

type Make = () => Uint8Array | Promise<Uint8Array>;

/** Name, source, and the size of one displayed point in poppler (which ignores UserUnit). */
const SOURCES: readonly (readonly [name: string, make: Make, unit: number])[] = [
  ['a plain page', plain, 1],
  ['/Rotate 90', () => page('/Rotate 90'), 1],
  ['/Rotate 180', () => page('/Rotate 180'), 1],
  ['/Rotate 270', () => page('/Rotate 270'), 1],
  ['/Rotate -90', () => page('/Rotate -90'), 1],
  ['a CropBox with an offset', () => page('/CropBox[50 100 500 700]'), 1],
  ['a CropBox with an offset, rotated 90', () => page('/CropBox[50 100 500 700]/Rotate 90'), 1],
  ['a CropBox with an offset, rotated 180', () => page('/CropBox[50 100 500 700]/Rotate 180'), 1],
  ['a CropBox with an offset, rotated 270', () => page('/CropBox[50 100 500 700]/Rotate 270'), 1],
  ['a CropBox larger than the MediaBox', () => page('/CropBox[-50 -50 900 900]'), 1],
  ['a MediaBox with a negative origin', () => page('/MediaBox[-200 -100 400 700]'), 1],
  ['a MediaBox given upside down, rotated', () => page('/MediaBox[612 792 0 0]/Rotate 270'), 1],
  ['UserUnit', () => page('/MediaBox[0 0 306 396]/UserUnit 2'), 2],
  [
    'UserUnit, cropped and rotated',
    () => page('/MediaBox[0 0 306 396]/CropBox[10 20 300 380]/UserUnit 2/Rotate 90'),
    2,
  ],
  [
    'inherited boxes and rotation',
    () => pagesPdf([{}], '/MediaBox[0 0 500 600]/CropBox[20 30 480 590]/Rotate 90'),
    1,
  ],
  ['attributes inherited through three nodes', nestedPagesPdf, 1],
  ['a cross-reference stream and object streams', () => byQpdf(plain(), '--object-streams=generate'), 1],
  ['a hybrid-reference file', () => hybridPdf('one section'), 1],
  ['a hybrid-reference file as Word writes it', () => hybridPdf('two sections'), 1],
  ['a linearized file', () => byQpdf(plain(), '--linearize'), 1],
  [
    'a linearized file with object streams',
    () => byQpdf(plain(), '--linearize', '--object-streams=generate'),
    1,
  ],
  ['an incremental update', () => withRevision(plain()), 1],
  ['an incremental update by MuPDF', () => revisedByMupdf(plain()), 1],
  [
    'an incremental update over object streams',
    () => revisedByMupdf(byQpdf(plain(), '--object-streams=generate')),
    1,
  ],
  ['an empty user password, RC4 40', () => encrypted('40'), 1],
  ['an empty user password, RC4 128', () => encrypted('128', '--use-aes=n'), 1],
  ['an empty user password, AES-128', () => encrypted('128', '--use-aes=y'), 1],
  ['an empty user password, AES-256', () => encrypted('256'), 1],
  ['an empty user password, AES-256 of Acrobat 9', () => encrypted('256', '--force-R5'), 1],
  ['a page printed by Chromium', printedByChromium, 1],
];

const at = (id: string, x: number, y: number) =>
  ({
    id,
    type: 'text',
    page: 1,
    x,
    y,
    width: 150,
    height: 20,
    size: 12,
    value: { column: 'column_0' },
  }) as const;
const OVERLAYS = [at('Alpha', 40, 30), { ...at('Omega', 250, 300), value: { static: 'Omega' } }];

describe.skipIf(missing.length > 0)('pages of every kind', () => {
  it.each(SOURCES)(
    '[FILL4][FILL42] %s: clean, complete, and text where it was placed',
    async (_, make, unit) => {
      const { files } = await fill(sandbox, {
        pdf: await make(),
        layout: layoutOf(OVERLAYS),
        rows: 'Alpha\n',
      });
      room.put('filled.pdf', files['row_1.pdf'] ?? '');
      const check = room.try('qpdf', '--check', 'filled.pdf');
      expect(check).toMatchObject({ status: 0, said: expect.not.stringContaining('WARNING') });

      const words = popplerWords(room, 'filled.pdf');
      const lines = mupdfLines(room, 'filled.pdf');
      expect(words.map(({ text }) => text)).toContain('ORIGINAL');
      expect(lines.map(({ text }) => text)).toContain('ORIGINAL');
      for (const { id, x, y } of OVERLAYS) {
        const word = words.find(({ text }) => text === id);
        expect(Math.abs((word?.left ?? Number.NaN) * unit - x)).toBeLessThan(1.5);
        expect(Math.abs((word?.top ?? Number.NaN) * unit - y)).toBeLessThan(1.5);
        const line = lines.find(({ text }) => text === id);
        expect(Math.abs((line?.left ?? Number.NaN) - x)).toBeLessThan(1.5);
        expect(Math.abs((line?.top ?? Number.NaN) - y)).toBeLessThan(1.5);
      }
    },
  );

  it('[FILL111] a row that changes nothing: clean for qpdf and MuPDF', async () => {
    const { files } = await fill(sandbox, { pdf: plain(), layout: layoutOf([]), rows: 'Alpha\n' });
    room.put('unchanged.pdf', files['row_1.pdf'] ?? '');
    expect(room.try('qpdf', '--check', 'unchanged.pdf')).toMatchObject({
      status: 0,
      said: expect.not.stringContaining('WARNING'),
    });
    const { said } = room.try('mutool', 'info', 'unchanged.pdf');
    expect(said).toContain('Pages: 1');
    expect(said).not.toMatch(/repair|warning|error/i);
  });

  it('[FILL45] a PDF with a password that is not empty: rejected', async () => {
    const pdf = byQpdf(plain(), '--encrypt', 'user', 'owner', '256', '--');
    const run = await runFill(sandbox, { pdf, layout: layoutOf(OVERLAYS), rows: 'Alpha\n' });
    expect([run.status, run.json().code]).toEqual([1, 'PDF_ENCRYPTED']);
  });
});
