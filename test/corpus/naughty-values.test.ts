import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus-dir.ts';
import { cellsOf, drawingBench } from '../support/drawn-row-pdf.ts';
import { fill, layoutOf } from '../support/fill-cli.ts';
import { formPdf } from '../support/form-source.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { prepareForTest } from '../support/prepared.ts';
import { readFields, readPdf } from '../support/read-pdf.ts';
import { cliSandbox } from '../support/run-cli.ts';

const strings = corpusDir('strings');
const missing = missingJudges('qpdf', 'pdftotext');
const absent = strings === null ? ' (skipped: set CORPUS_DIR to the outside corpus)' : '';

/** Differences that a reader may introduce: white space, invisible characters, compatibility forms, text direction. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/gu;
const comparable = (text: string) => [...text.normalize('NFKC').replaceAll(INVISIBLE, '')].sort().join('');

describe.skipIf(strings === null)(`naughty strings as values${absent}`, () => {
  it('[FILL81] naughty strings in every overlay with a value: the right text, or a warning', async () => {
    const values: string[] = JSON.parse(readFileSync(join(strings ?? '.', 'blns.json'), 'utf8'));
    const box = { page: 1, x: 5, y: 5, width: 1180, height: 390, value: { column: 'column_0' } };
    const bench = await drawingBench(
      [{ ...box, id: 't', type: 'text', size: 10, min_size: 0.5, wrap: true }],
      {
        width: 1190,
        height: 800,
      },
    );
    const others = await drawingBench([
      { ...box, id: 'q', type: 'qr' },
      { ...box, id: 'b', type: 'barcode', symbology: 'code128' },
      { ...box, id: 'd', type: 'barcode', symbology: 'datamatrix' },
      { ...box, id: 'i', type: 'image' },
      { ...box, id: 's', type: 'signature' },
      { ...box, id: 'c', type: 'check' },
    ]);
    let warned = 0;
    const wrong: string[] = [];
    for (const value of values) {
      const drawing = bench.draw(value);
      expect(drawing.error).toBeNull();
      const other = others.draw(value);
      expect(other.applied + other.skipped).toBe(6);
      expect(other.skipped).toBeLessThanOrEqual(other.warnings.length);
      if (drawing.warnings.length > 0) {
        warned += 1;
        continue;
      }
      const [page] = await readPdf(bench.pdf(value));
      const found = page?.texts.map(({ text }) => text).join('') ?? '';
      if (comparable(found) !== comparable(value)) wrong.push(value);
    }
    expect(values.length).toBeGreaterThan(500);
    expect(warned).toBeLessThan(40);
    expect(wrong).toEqual([]);
  });

  it.skipIf(missing.length > 0)(
    '[FILL81] pages with naughty strings: poppler reads the text, or there is a warning',
    async () => {
      const values: string[] = JSON.parse(readFileSync(join(strings ?? '.', 'blns.json'), 'utf8'));
      const sandbox = await cliSandbox();
      const room = new JudgeRoom();
      try {
        const text = { id: 't', type: 'text', page: 1, x: 5, y: 5, width: 1180, height: 390, size: 10 };
        const overlays = [{ ...text, min_size: 0.5, wrap: true, value: { column: 'column_0' } }];
        const { manifest } = await fill(sandbox, {
          pdf: pagesPdf([{ content: '' }], '/MediaBox[0 0 1190 800]'),
          layout: layoutOf(overlays),
          rows: values.map((value) => ({ column_0: value })),
          args: ['--merge', 'merged.pdf'],
        });
        expect(manifest.summary).toMatchObject({ produced_rows: values.length, failed_rows: 0 });
        room.put('merged.pdf', await sandbox.read('merged.pdf'));
        const check = room.try('qpdf', '--check', 'merged.pdf');
        expect(check).toMatchObject({ status: 0, said: expect.not.stringContaining('WARNING') });
        const pages = room.run('pdftotext', '-raw', 'merged.pdf', '-').split('\f');
        const unlike = values.flatMap((value, index) =>
          manifest.row_results[index]?.warnings.length === 0 &&
          comparable(pages[index] ?? '') !== comparable(value)
            ? [{ value, page: index + 1 }]
            : [],
        );
        // poppler treats equal marks at one position as simulated bold and drops them; pdf.js has read them above.
        const kinds = (text: string) => [...new Set(comparable(text))].join('');
        const wrong = unlike.filter(({ value, page }) => kinds(pages[page - 1] ?? '') !== kinds(value));
        expect(unlike.length).toBeLessThan(3);
        expect(wrong).toEqual([]);
      } finally {
        room.close();
        await sandbox.remove();
      }
    },
  );

  it('[FILL49][FILL81] naughty strings in native fields: stored unchanged, or with a warning', async () => {
    const values: string[] = JSON.parse(readFileSync(join(strings ?? '.', 'blns.json'), 'utf8'));
    const fields = ['employee.name', 'note', 'pin', 'amount', 'turned'];
    const form_fields = fields.map((field) => ({ id: field, field, value: { column: 'column_0' } }));
    const { filler, pdf } = await prepareForTest(formPdf(), { form_fields });
    const wrong: string[] = [];
    for (const value of values) {
      const { result } = filler.fill(1, cellsOf(value));
      expect(result.error).toBeNull();
      const stored = String((await readFields(pdf(value))).note ?? '');
      // No reader returns an escape character, and readers may change line ends.
      const plain = (text: string) => text.replaceAll('\u001b', '').replaceAll(/\r\n?/g, '\n');
      if (plain(stored) !== plain(value)) wrong.push(value);
    }
    expect(wrong).toEqual([]);
  });
});
