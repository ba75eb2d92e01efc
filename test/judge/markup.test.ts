import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { letterPdf } from '../support/bulkfill-server.ts';
import { box, fillArguments, layoutOf } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { RENDERERS } from '../support/renderings.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'pdffonts', 'mutool');
if (missing.length > 0) console.log(`judges of markup skipped: ${missing.join(', ')} not installed`);

const TEMPLATE = 'Dear **{{column_0}}**, *pay* __{{column_1}} today__ by\n[Friday](#c00), ***at noon*** \\*';
const layout = (template: string) =>
  layoutOf([
    {
      ...{ id: 'letter', type: 'text', ...box, width: 400, height: 90, size: 16 },
      ...{ markup: true, value: { template } },
    },
  ]);

describe.skipIf(missing.length > 0)('texts with markup', () => {
  const room = new JudgeRoom();
  let sandbox: CliSandbox;
  beforeAll(async () => {
    sandbox = await cliSandbox();
    await sandbox.write('source.pdf', letterPdf);
    await sandbox.write('rows.json', [{ column_0: '**Bob** [Roe](#00f)', column_1: '__7__' }]);
    for (const [name, template] of [
      ['styled', TEMPLATE],
      ['plain', TEMPLATE.replaceAll('__', '')],
    ] as const) {
      await sandbox.write('layout.json', layout(template));
      const run = await sandbox.run(
        fillArguments('layout.json', 'rows.json', '--preview', '1', '-o', 'row.pdf'),
      );
      expect(run.status, run.stderr).toBe(0);
      room.put(`${name}.pdf`, await sandbox.read('row.pdf'));
    }
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });

  it('[FILL290] [FILL291] qpdf and poppler: find no fault, the text without the marks of the layout, and four faces', () => {
    expect(room.try('qpdf', '--check', 'styled.pdf').status).toBe(0);
    const text = room.run('pdftotext', '-layout', 'styled.pdf', '-').replaceAll(/\s+/g, ' ');
    expect(text).toContain('Dear **Bob** [Roe](#00f), pay __7__ today by Friday, at noon *');
    const fonts = room.run('pdffonts', 'styled.pdf');
    expect([...fonts.matchAll(/\+(Arimo-\w+) .* yes yes yes /g)].map(([, name]) => name).sort()).toEqual([
      ...['Arimo-Bold', 'Arimo-BoldItalic', 'Arimo-Italic', 'Arimo-Regular'],
    ]);
  });

  it('[FILL290] [FILL291] MuPDF: draws each part with its face and colour, and values with the style around them', () => {
    const xml = room.run('mutool', 'draw', '-q', '-F', 'stext', 'styled.pdf', '1');
    const parts = [...xml.matchAll(/<font name="([^"]+)"[^>]*>(.*?)<\/font>/gs)].map(
      ([, font, inside = '']) => {
        const characters = [...inside.matchAll(/ color="([^"]*)" c="([^"]*)"/g)];
        const colors = new Set(characters.map(([, color]) => color));
        return [font, characters.map(([, , character]) => character).join(''), [...colors].join()];
      },
    );
    for (const part of [
      ['Arimo-Bold', '**Bob** [Roe](#00f)', '#000000'],
      ['Arimo-Italic', 'pay', '#000000'],
      ['Arimo-BoldItalic', 'at noon', '#000000'],
    ])
      expect(parts).toContainEqual(part);
    const red = [...xml.matchAll(/ color="#cc0000" c="([^"]*)"/g)].map(([, character]) => character).join('');
    expect(red).toBe('Friday');
    expect(xml).not.toContain('#0000ff');
  });

  it('[FILL290] poppler, MuPDF and PDFium: draw the underline', async () => {
    for (const by of ['poppler', 'MuPDF', 'PDFium'] as const) {
      const ink = async (file: string) =>
        (await RENDERERS[by](room, file, 144)).pixels.filter((pixel) => pixel < 128).length;
      const [styled, plain] = [await ink('styled.pdf'), await ink('plain.pdf')];
      // The rule below "today" is 40 points wide, and at least one pixel high.
      expect(styled - plain, by).toBeGreaterThan(60);
    }
  });
});
