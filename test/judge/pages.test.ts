import { afterAll, describe, expect, it } from 'vitest';
import { JudgeRoom, missingJudges, mupdfLines, popplerWords } from '../support/judges.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { prepareForTest } from '../support/prepared.ts';

const missing = missingJudges('qpdf', 'pdftotext', 'mutool');
if (missing.length > 0) console.log(`judges of pages skipped: ${missing.join(', ')} not installed`);

const room = new JudgeRoom();
afterAll(() => room.close());

/** Rewrites a plain source with qpdf, to get forms of file that we do not write ourselves. */
function byQpdf(source: Uint8Array, ...args: string[]): Uint8Array {
  room.put('plain.pdf', source);
  room.run('qpdf', ...args, 'plain.pdf', 'made.pdf');
  return room.read('made.pdf');
}

/** The page object again in an appended revision, now with another rotation. */
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

const plain = () => pagesPdf([{}]);
const page = (entries: string, inherited?: string) => pagesPdf([{ entries }], inherited);

/** Name, source, and what one displayed point is in poppler's eyes (it ignores UserUnit). */
const SOURCES: readonly (readonly [name: string, make: () => Uint8Array, unit: number])[] = [
  ['a plain page', plain, 1],
  ['/Rotate 90', () => page('/Rotate 90'), 1],
  ['/Rotate 180', () => page('/Rotate 180'), 1],
  ['/Rotate 270', () => page('/Rotate 270'), 1],
  ['a CropBox with an offset', () => page('/CropBox[50 100 500 700]'), 1],
  ['a CropBox with an offset, rotated', () => page('/CropBox[50 100 500 700]/Rotate 90'), 1],
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
  ['a cross-reference stream and object streams', () => byQpdf(plain(), '--object-streams=generate'), 1],
  ['a linearized file', () => byQpdf(plain(), '--linearize'), 1],
  [
    'a linearized file with object streams',
    () => byQpdf(plain(), '--linearize', '--object-streams=generate'),
    1,
  ],
  ['an incremental update', () => withRevision(plain()), 1],
  ['an empty user password, AES-256', () => byQpdf(plain(), '--encrypt', '', 'owner', '256', '--'), 1],
  [
    'an empty user password, AES-128',
    () => byQpdf(plain(), '--encrypt', '', 'owner', '128', '--use-aes=y', '--'),
    1,
  ],
  [
    'an empty user password, RC4 40',
    () => byQpdf(plain(), '--allow-weak-crypto', '--encrypt', '', 'owner', '40', '--'),
    1,
  ],
];

describe.skipIf(missing.length > 0)('pages of every kind', () => {
  const at = (id: string, x: number, y: number) =>
    ({ id, type: 'text', page: 1, x, y, width: 150, height: 20, size: 12, value: { static: id } }) as const;
  const overlays = [at('Alpha', 40, 30), at('Omega', 250, 300)];

  it.each(SOURCES)(
    '[FILL4][FILL42] %s: clean, complete, and text where it was placed',
    async (_, make, unit) => {
      const { pdf } = await prepareForTest(make(), { overlays });
      room.put('filled.pdf', pdf());
      const check = room.try('qpdf', '--check', 'filled.pdf');
      expect(check).toMatchObject({ status: 0 });
      expect(check.said).not.toContain('WARNING');

      const words = popplerWords(room, 'filled.pdf');
      const lines = mupdfLines(room, 'filled.pdf');
      expect(words.map(({ text }) => text)).toContain('ORIGINAL');
      for (const { id, x, y } of overlays) {
        const word = words.find(({ text }) => text === id);
        expect(Math.abs((word?.left ?? Number.NaN) * unit - x)).toBeLessThan(1.5);
        expect(Math.abs((word?.top ?? Number.NaN) * unit - y)).toBeLessThan(1.5);
        const line = lines.find(({ text }) => text === id);
        expect(Math.abs((line?.left ?? Number.NaN) - x)).toBeLessThan(1.5);
      }
    },
  );

  it('[FILL45] a password other than the empty one is refused', async () => {
    const locked = byQpdf(plain(), '--encrypt', 'user', 'owner', '256', '--');
    await expect(prepareForTest(locked, { overlays })).rejects.toThrow('PDF_ENCRYPTED');
  });
});
