import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { RENDERERS } from '../support/renderings.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'pdfinfo', 'mutool');
if (missing.length > 0) console.log(`judges of blank pages skipped: ${missing.join(', ')} not installed`);

const example = join(import.meta.dirname, '../../examples/invoices');

describe.skipIf(missing.length > 0)('blank pages', () => {
  const room = new JudgeRoom();
  let sandbox: CliSandbox;
  beforeAll(async () => {
    sandbox = await cliSandbox();
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });

  async function merge(...args: string[]): Promise<void> {
    const run = await sandbox.run(['fill', ...args, '--duplex', '--merge', 'out.pdf']);
    expect([run.status, run.stdout]).toEqual([0, '']);
    room.put('out.pdf', await sandbox.read('out.pdf'));
    const { status, said } = room.try('qpdf', '--check', 'out.pdf');
    expect([status, said]).toEqual([0, expect.stringContaining('No syntax or stream encoding errors')]);
  }

  const ink = async (by: keyof typeof RENDERERS, page: number) =>
    (await RENDERERS[by](room, 'out.pdf', 72, page)).pixels.filter((pixel) => pixel < 250).length;

  it('[FILL300] [FILL302] invoices of 1, 3 and 1 pages: qpdf, poppler and MuPDF find each on a new sheet of paper', async () => {
    for (const name of ['invoice.pdf', 'layout.json', 'items.csv'])
      await sandbox.write(name, readFileSync(join(example, name)));
    const inputs = ['--pdf', 'invoice.pdf', '--layout', 'layout.json', '--rows', 'items.csv'];
    await merge(...inputs, '--match-columns', 'label', '--group-by', 'Invoice');
    expect(room.run('pdfinfo', 'out.pdf')).toMatch(/Pages:\s+8\n/);
    expect(room.run('mutool', 'pages', 'out.pdf').match(/<page /g)).toHaveLength(8);
    const outline = room.run('mutool', 'show', 'out.pdf', 'outline');
    expect([...outline.matchAll(/#page=(\d+)/g)].map((match) => Number(match[1]))).toEqual([1, 3, 7]);
    const texts = room.run('pdftotext', 'out.pdf', '-').split('\f').slice(0, 8);
    expect(texts.flatMap((text, index) => (text.trim() === '' ? [index + 1] : []))).toEqual([2, 6, 8]);
    for (const by of ['poppler', 'MuPDF', 'PDFium'] as const) {
      for (const page of [2, 6, 8]) expect(await ink(by, page), `${by} ${page}`).toBe(0);
      expect(await ink(by, 7), by).toBeGreaterThan(500);
    }
  });

  it('[FILL301] a cropped and turned last page: poppler and MuPDF find a blank page of the same size', async () => {
    const entries = '/MediaBox[0 0 400 300]/CropBox[10 20 390 280]/Rotate 90';
    await sandbox.write('source.pdf', pagesPdf([{}, {}, { entries }]));
    await sandbox.write('empty.json', { format: 'rowpress.layout', version: 1, columns: [], overlays: [] });
    await sandbox.write('rows.csv', 'Ada\nBob\n');
    await merge('--pdf', 'source.pdf', '--layout', 'empty.json', '--rows', 'rows.csv');
    const pages = room.run('pdfinfo', '-box', '-f', '1', '-l', '8', 'out.pdf');
    const factsOf = (page: number) =>
      [...pages.matchAll(new RegExp(`Page +${page} (size|rot|MediaBox|CropBox): *(.*)`, 'g'))].map(
        ([, name, value]) => [name, value?.trim()],
      );
    expect(factsOf(3)).toHaveLength(4);
    expect([factsOf(4), factsOf(8)]).toEqual([factsOf(3), factsOf(3)]);
    expect(factsOf(5)).toEqual(factsOf(1));
    const size = async (page: number) => {
      const { width, height } = await RENDERERS.MuPDF(room, 'out.pdf', 72, page);
      return [width, height];
    };
    expect(await size(4)).toEqual([260, 380]);
    expect(await ink('MuPDF', 4)).toBe(0);
  });
});
