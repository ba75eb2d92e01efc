import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, fill, layoutOf, runFill, sha256 } from '../support/fill-cli.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { BIN, type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { smallPng } from '../support/small-png.ts';
import { sourcePdf } from '../support/source-pdf.ts';
import { workbook } from '../support/workbook.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(() => sandbox.remove());

const pdf = sourcePdf();
const text = (id: string, column: number, members: object = {}) => ({
  id,
  type: 'text',
  ...box,
  value: { column: `column_${column}` },
  ...members,
});

describe('what is refused', () => {
  const layout = layoutOf([text('a', 0)]);

  it.each([
    ['INVALID_CSV', 'a,"open\n'],
    ['NO_ROWS', '\n\n'],
    ['NO_ROWS', []],
    ['TOO_MANY_COLUMNS', `${'x,'.repeat(5000)}x\n`],
    ['INVALID_ROWS_JSON', [1 as unknown as object]],
  ])(
    '[FILL23][FILL24] %s: exits with 1, prints the code on standard output and writes nothing',
    async (code, rows) => {
      const run = await runFill(sandbox, { pdf, layout, rows, args: ['-o', 'refused.zip'] });
      expect([run.status, run.json().code]).toEqual([1, code]);
      expect(run.json()).toEqual({ code, message: expect.stringMatching(/\w/) });
      expect(existsSync(sandbox.path('refused.zip'))).toBe(false);
    },
  );

  it('[FILL102] ROWPRESS_MAX_COLUMNS: limits the columns of a row', async () => {
    const env = { ROWPRESS_MAX_COLUMNS: '3' };
    const run = await runFill(sandbox, { pdf, layout, rows: 'a,b,c,d\n', env });
    expect([run.status, run.json().code]).toEqual([1, 'TOO_MANY_COLUMNS']);
    expect((await runFill(sandbox, { pdf, layout, rows: 'a,b,c\n', env })).status).toBe(0);
  });

  it('[FILL23] too many rows: rejected before anything is written', async () => {
    const run = await runFill(sandbox, {
      pdf,
      layout,
      rows: 'x\n'.repeat(100_001),
      args: ['-o', 'refused.zip'],
    });
    expect([run.status, run.json().code]).toEqual([1, 'TOO_MANY_ROWS']);
    expect(existsSync(sandbox.path('refused.zip'))).toBe(false);
  });

  it('[FILL24] a file that is not a PDF, and an invalid layout: rejected', async () => {
    const junk = await runFill(sandbox, { pdf: new TextEncoder().encode('hello'), layout, rows: 'x\n' });
    expect([junk.status, junk.json().code]).toEqual([1, 'PDF_INVALID']);
    const bad = await runFill(sandbox, {
      pdf,
      layout: layoutOf([text('a', 0, { colour: 'x' })]),
      rows: 'x\n',
    });
    expect([bad.status, bad.json().code]).toEqual([1, 'PACKAGE_INVALID']);
  });

  it.each([
    [['--max-failed-row-percent', '101']],
    [['--filename-columns', 'a,b,c,d']],
    [['--preview', '9', '-o', 'row.pdf']],
    [['--timestamp', 'yesterday']],
    [['--threads', '65']],
    [['-o', '-', '--merge', '-']],
    [['--pdf', 'missing.pdf']],
  ])('[FILL24] wrong usage exits 2: %j', async (args) => {
    expect((await runFill(sandbox, { pdf, layout, rows: 'x\n', args })).status).toBe(2);
  });

  it.each([
    [['--pdf', 'missing.pdf'], 'missing.pdf cannot be read: no such file or folder'],
    [['--rows', '.'], '. cannot be read: it is a folder'],
    [['-o', 'nowhere/out.zip'], 'nowhere/out.zip cannot be written: no such file or folder'],
    [['-o', '.'], '. cannot be written: it is a folder'],
    [['-o', 'rows.csv'], 'rows.csv cannot be written: rows.csv is read by the same command'],
    [['--merge', 'out.zip'], 'out.zip cannot be written: out.zip is written by the same command'],
    [['--preview', '9', '-o', 'row.pdf'], 'row 9 does not exist; the last row is 1'],
  ])(
    '[FILL24] [OPS10] wrong usage %j: a message in words, and as JSON with --json',
    async (args, message) => {
      const run = await runFill(sandbox, { pdf, layout, rows: 'x\n', args });
      expect(run.stderr).toBe(`error: ${message}\n`);
      expect(run.json()).toEqual({ code: 'USAGE', message });
    },
  );

  const latin = (binary: string) => Buffer.from(binary, 'latin1');
  it.each([
    ['other.pdf', 'INVALID_CSV', pagesPdf([{}]), 'seems to be a PDF. Rows must be CSV, an XLSX'],
    ['pdf.json', 'INVALID_ROWS_JSON', pagesPdf([{}]), 'seems to be a PDF. Rows must be CSV, an XLSX'],
    ['book.xlsx', 'INVALID_CSV', workbook([['Ann']]).slice(0, -30), 'is not a readable XLSX workbook'],
    ['files.zip', 'INVALID_CSV', zipSync({ 'a.csv': latin('Ann') }), 'seems to be a ZIP file. Rows must'],
    [
      'dot.png',
      'INVALID_CSV',
      smallPng([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, 9]),
      'seems to be binary data. Rows must be CSV',
    ],
    ['latin.csv', 'INVALID_CSV', latin('Zo\xeb,1\r\n\x1a'), 'set --csv-encoding windows-1252'],
    ['utf16.csv', 'INVALID_CSV', Buffer.from('Łódź,ąę\n', 'utf16le'), 'set --csv-encoding utf-16le'],
    ['quote.csv', 'INVALID_CSV', latin('a\x1fb,"open\n'), 'A quote opened on line 1 is never closed.'],
  ])('[FILL24] rows in %s: rejected with %s and the likely encoding', async (name, code, bytes, words) => {
    await sandbox.write(name, bytes);
    const run = await runFill(sandbox, { pdf, layout, rows: 'x\n', args: ['--rows', name] });
    expect([run.status, run.json().code]).toEqual([1, code]);
    expect(run.json().message).toContain(words);
  });

  it('[FILL24] a file that is neither a layout nor a package: rejected with what was expected; a layout may have any name', async () => {
    const run = await runFill(sandbox, { pdf, layout: 'source.pdf', rows: 'x\n' });
    expect([run.status, run.json()]).toEqual([
      1,
      {
        code: 'PACKAGE_MALFORMED',
        message:
          'The package is not a ZIP file. source.pdf is neither a sealed package (.doqlo) nor a layout (.json).',
      },
    ]);
    await sandbox.write('plan.txt', layout);
    expect((await runFill(sandbox, { pdf, layout: 'plan.txt', rows: 'x\n' })).status).toBe(0);
    await sandbox.write('later.json', { ...layout, version: 2 });
    const later = await runFill(sandbox, { pdf, layout: 'later.json', rows: 'x\n' });
    expect(later.json()).toEqual({
      code: 'PACKAGE_UNSUPPORTED',
      message: 'The layout is of version 2; this engine knows version 1.',
    });
  });
});

describe('rows and output', () => {
  const layout = layoutOf([text('a', 0)]);

  it('[FILL24] rows from standard input: the archive of the same rows in a file', async () => {
    const { bytes } = await fill(sandbox, { pdf, layout, rows: 'Ann\nZoë\n' });
    const command = `cat rows.csv | ${BIN} fill --pdf source.pdf --layout layout.json --rows - -o -`;
    const options = { cwd: sandbox.folder, encoding: 'buffer' } as const;
    const { stdout } = await promisify(execFile)('bash', ['-c', command], options);
    expect(sha256(stdout)).toBe(sha256(bytes));
  });

  it('[FILL24] a reader that closes standard output: the run ends without a stack trace', async () => {
    await fill(sandbox, { pdf, layout, rows: 'x\n'.repeat(500) });
    const command = `${BIN} fill --pdf source.pdf --layout layout.json --rows rows.csv -o - | head -c 4`;
    const { stderr } = await promisify(execFile)('bash', ['-c', command], { cwd: sandbox.folder });
    expect(JSON.parse(stderr)).toEqual({
      code: 'OUTPUT_FAILED',
      message: 'standard output cannot be written: its reader closed it before the end',
    });
  });

  it('[FILL20] the first line: a header only with the option', async () => {
    const plain = await fill(sandbox, { pdf, layout, rows: 'Name\nAnn\n' });
    expect(plain.manifest.rows).toBe(2);
    const headed = await fill(sandbox, { pdf, layout, rows: 'Name\nAnn\n', args: ['--csv-header'] });
    expect(headed.manifest.rows).toBe(1);
    expect(await pageTexts(headed.files['row_1.pdf'] ?? new Uint8Array(0))).toEqual(['page 1 Ann']);
  });
});
