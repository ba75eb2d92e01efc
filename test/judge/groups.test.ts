import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

const missing = missingJudges('qpdf', 'pdftotext', 'pdfinfo', 'mutool');
if (missing.length > 0) console.log(`judges of groups skipped: ${missing.join(', ')} not installed`);

const example = join(import.meta.dirname, '../../examples/invoices');
const INPUTS = ['--pdf', 'invoice.pdf', '--layout', 'layout.json', '--rows', 'items.csv'];
const GROUPED = ['--match-columns', 'label', '--group-by', 'Invoice', '--filename-columns', 'Invoice'];
const FILES = ['group_1_R-1001.pdf', 'group_2_R-1002.pdf', 'group_3_R-1003.pdf'];
const PAGES = [1, 3, 1];

describe.skipIf(missing.length > 0)('groups of rows', () => {
  const room = new JudgeRoom();
  let sandbox: CliSandbox;
  beforeAll(async () => {
    sandbox = await cliSandbox();
    for (const name of ['invoice.pdf', 'layout.json', 'items.csv'])
      await sandbox.write(name, readFileSync(join(example, name)));
    const merged = await sandbox.run([
      'fill',
      ...INPUTS,
      ...GROUPED,
      '--output-kind',
      'both',
      '-o',
      'out.zip',
    ]);
    expect(merged.stderr).toContain('3 of 3 rows');
    const { files } = openArchive(await sandbox.read('out.zip'));
    for (const name of [...FILES, 'merged.pdf']) room.put(name, files[name] ?? new Uint8Array());
    const secret = ['--password-column', 'Customer', '-o', 'secret.zip'];
    const locked = await sandbox.run(['fill', ...INPUTS, ...GROUPED, ...secret], {
      ROWPRESS_SECRET_KEY: '5'.repeat(64),
    });
    expect(locked.stderr).toContain('3 of 3 rows');
    const encrypted = openArchive(await sandbox.read('secret.zip')).files;
    room.put('secret.pdf', encrypted[FILES[1] ?? ''] ?? new Uint8Array());
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });

  const pagesOf = (file: string, ...options: string[]) =>
    Number(/Pages:\s+(\d+)/.exec(room.run('pdfinfo', ...options, file))?.[1]);

  it('[FILL269] [FILL272] qpdf, poppler and MuPDF: find no fault, and the pages of each invoice', () => {
    for (const [index, name] of FILES.entries()) {
      const { status, said } = room.try('qpdf', '--check', name);
      expect([status, said]).toEqual([0, expect.stringContaining('No syntax or stream encoding errors')]);
      expect(pagesOf(name)).toBe(PAGES[index]);
      expect(room.run('mutool', 'pages', name).match(/<page /g)).toHaveLength(PAGES[index] ?? 0);
    }
    expect(room.try('qpdf', '--check', 'merged.pdf').status).toBe(0);
    expect(pagesOf('merged.pdf')).toBe(5);
    expect(room.try('qpdf', '--password=Harbour Print Works', '--check', 'secret.pdf').status).toBe(0);
    expect(pagesOf('secret.pdf', '-upw', 'Harbour Print Works')).toBe(3);
  });

  it('[FILL266] [FILL267] poppler: reads the rows in order, the header of every page and the totals once', () => {
    const text = (name: string, ...options: string[]) =>
      room.run('pdftotext', '-layout', ...options, name, '-');
    const pages = text(FILES[1] ?? '').split('\f');
    for (const page of pages.slice(0, 3)) expect(page).toMatch(/Item\s+Quantity\s+Price\s+Amount/);
    expect(pages[1]).toContain('Invoice, continued');
    expect(pages[1]).toMatch(/Number\s+R-1002/);
    expect(pages[2]).toMatch(/Total\s+1,351\s+9,542\.75/);
    expect(pages.join('').match(/Total/g)).toHaveLength(1);
    expect(text('merged.pdf').split('\f').slice(1, 4)).toEqual(pages.slice(0, 3));
    expect(text('secret.pdf', '-upw', 'Harbour Print Works').split('\f')).toEqual(pages);
  });

  it('[FILL269] a form with fields on a repeated page: no fault with and without flattening', async () => {
    const fields = [{ name: 'key', kind: 'text', rects: [[72, 700, 300, 720]] }] as const;
    await sandbox.write('form.pdf', sourcePdf({ pages: [{}], fields }));
    const table = { id: 't', type: 'table', page: 1, x: 72, y: 300, width: 300, height: 60, continue_on: 1 };
    await sandbox.write('form.json', {
      format: 'rowpress.layout',
      version: 1,
      columns: [{ key: 'column_0', label: 'Key' }],
      overlays: [{ ...table, columns: [{ header: 'Key', value: { column: 'column_1' } }] }],
      form_fields: [{ id: 'f', field: 'key', value: { column: 'column_0' } }],
    });
    const rows = Array.from({ length: 12 }, (_, n) => ({
      column_0: n === 0 ? 'B' : 'A',
      column_1: `row ${n}`,
    }));
    await sandbox.write('form-rows.json', rows);
    const inputs = [
      '--pdf',
      'form.pdf',
      '--layout',
      'form.json',
      '--rows',
      'form-rows.json',
      '--group-by',
      'Key',
    ];
    for (const flatten of [[], ['--flatten-forms']]) {
      await sandbox.run(['fill', ...inputs, ...flatten, '-o', 'form.zip']);
      const { files } = openArchive(await sandbox.read('form.zip'));
      for (const [name, pages] of [
        ['group_1.pdf', 1],
        ['group_2.pdf', 6],
      ] as const) {
        room.put(name, files[name] ?? new Uint8Array());
        expect(room.try('qpdf', '--check', name), name).toMatchObject({ status: 0 });
        expect(pagesOf(name)).toBe(pages);
      }
      const text = room.run('pdftotext', 'group_2.pdf', '-');
      expect(text.match(/row \d+/g)).toEqual(rows.slice(1).map(({ column_1 }) => column_1));
    }
  });
});
