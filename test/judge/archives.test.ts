import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf, runFill } from '../support/fill-cli.ts';
import { formPdf } from '../support/form-source.ts';
import { JudgeRoom, missingJudges, mupdfLinks, popplerWords } from '../support/judges.ts';
import { linkedPdf, linksOfRows } from '../support/linked-source.ts';
import { changed, RENDERERS } from '../support/renderings.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/** Checks the complete output of `fill`: the ZIP, and with `--merge` one PDF of all rows. */
const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'unzip', '7z', 'python3', 'mutool');
if (missing.length > 0) console.log(`judges of archives skipped: ${missing.join(', ')} not installed`);

const NAMES = [
  'Ada',
  'Boole',
  'Curie',
  'Dirac',
  'Euler',
  'Fermat',
  'Gauss',
  'Hopper',
  'Ising',
  'Joule',
  'Kepler',
  'Lie',
];
/** The fourth row has an object instead of a text, and fails. */
const FAILING = 4;

describe.skipIf(missing.length > 0)('an archive from the command line', () => {
  let sandbox: CliSandbox;
  const room = new JudgeRoom();
  beforeAll(async () => {
    sandbox = await cliSandbox();
    const layout = layoutOf(
      [
        {
          id: 'over',
          type: 'text',
          page: 1,
          x: 350,
          y: 36,
          width: 200,
          height: 20,
          value: { template: 'Dear {{column_0}}' },
        },
        {
          id: 'code',
          type: 'qr',
          page: 1,
          x: 450,
          y: 80,
          width: 90,
          height: 90,
          value: { column: 'column_0' },
        },
      ],
      {
        form_fields: [
          { id: 'name', field: 'employee.name', value: { column: 'column_0' } },
          { id: 'agree', field: 'agree', value: { column: 'column_1' } },
        ],
      },
    );
    const rows = NAMES.map((name, index) => ({
      column_0: index + 1 === FAILING ? {} : name,
      column_1: index % 2 === 0 ? 'yes' : 'no',
    }));
    const run = await runFill(sandbox, {
      pdf: formPdf(),
      layout,
      rows,
      args: ['--merge', 'merged.pdf', '--filename-columns', 'column_0'],
    });
    expect(run.status, run.stderr).toBe(0);
    room.put('out.zip', await sandbox.read('out.zip'));
    room.put('merged.pdf', await sandbox.read('merged.pdf'));
    room.run('unzip', '-q', 'out.zip');
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });

  it('[FILL2] an archive: three unpackers accept it', () => {
    expect(room.run('unzip', '-t', 'out.zip')).toContain('No errors detected');
    expect(room.run('7z', 't', 'out.zip')).toContain('Everything is Ok');
    const script = "import zipfile; z=zipfile.ZipFile('out.zip'); print(z.testzip(), len(z.namelist()))";
    expect(room.run('python3', '-c', script)).toBe(`None ${NAMES.length}\n`);
  });

  const made = NAMES.map((name, index) => ({ name, row: index + 1 })).filter(({ row }) => row !== FAILING);

  it('[FILL54] the merged file: valid, flat, and one bookmark per row in order', () => {
    const check = room.try('qpdf', '--check', 'merged.pdf');
    expect(check).toMatchObject({ status: 0, said: expect.not.stringContaining('WARNING') });
    const json = JSON.parse(
      room.run('qpdf', '--json', '--json-key=acroform', '--json-key=outlines', 'merged.pdf'),
    );
    expect(json.acroform.hasacroform).toBe(false);
    const bookmarks: { title: string; destpageposfrom1: number }[] = json.outlines;
    expect(bookmarks.map(({ title, destpageposfrom1 }) => [title, destpageposfrom1])).toEqual(
      made.map(({ name, row }, index) => [`row_${row}_${name}`, index + 1]),
    );
    expect(room.run('mutool', 'show', 'merged.pdf', 'outline').match(/row_/g)).toHaveLength(made.length);
  });

  it('[FILL54] each page of the merged file: shows its own row, by form and by overlay', () => {
    for (const [index, { name }] of made.entries()) {
      const words = popplerWords(room, 'merged.pdf', index + 1).map(({ text }) => text);
      expect(words.filter((word) => NAMES.includes(word))).toEqual([name, name]);
      expect(words).toContain('Dear');
    }
  });

  it.each(Object.entries(RENDERERS))(
    '[FILL54] pages of the merged file in %s: look like the row alone',
    async (_, render) => {
      // The row PDFs still contain form fields; antialiasing may differ slightly.
      const page = { x: 0, y: 0, width: 612, height: 792 };
      for (const [index, { name, row }] of made.entries()) {
        const alone = await render(room, `row_${row}_${name}.pdf`, 72);
        const differences = async (number: number) =>
          changed(alone, await render(room, 'merged.pdf', 72, number), page, 72);
        expect(await differences(index + 1), name).toBeLessThan(10);
        expect(await differences(((index + 1) % made.length) + 1), name).toBeGreaterThan(100);
      }
    },
  );

  it('[FILL54] links of the merged file: lead to pages of their own row', async () => {
    const source = linkedPdf();
    const args = ['--merge', 'linked.pdf'];
    const run = await runFill(sandbox, { pdf: source.bytes, layout: layoutOf([]), rows: 'a\nb\nc\n', args });
    expect(run.status, run.stderr).toBe(0);
    room.put('linked.pdf', await sandbox.read('linked.pdf'));
    const check = room.try('qpdf', '--check', 'linked.pdf');
    expect(check).toMatchObject({ status: 0, said: expect.not.stringContaining('WARNING') });
    // MuPDF does not report links without a target.
    const expected = linksOfRows(source, 3).map((links) => links.filter((target) => target !== null));
    expect(mupdfLinks(room, 'linked.pdf')).toEqual(expected);
  });
});
