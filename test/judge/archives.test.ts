import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf, runFill } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { scanPicture } from '../support/scan-code.ts';

const missing = missingJudges('qpdf', 'pdftoppm', 'zbarimg', 'unzip', '7z', 'python3', 'mutool');
if (missing.length > 0) console.log(`judges of archives skipped: ${missing.join(', ')} not installed`);

const CODES = [
  ['qr', { type: 'qr' }, 'https://example.test/ticket/4711', 'QR-Code'],
  ['code128', { type: 'barcode', symbology: 'code128' }, 'LOT-0001', 'CODE-128'],
  ['ean13', { type: 'barcode', symbology: 'ean13' }, '9780201379624', 'EAN-13'],
  ['datamatrix', { type: 'barcode', symbology: 'datamatrix' }, 'Data 123', 'DataMatrix'],
  ['pdf417', { type: 'barcode', symbology: 'pdf417' }, 'Stacked rows 42', 'PDF417'],
] as const;

describe.skipIf(missing.length > 0)('an archive from the command line', () => {
  let sandbox: CliSandbox;
  const room = new JudgeRoom();
  beforeAll(async () => {
    sandbox = await cliSandbox();
    const overlays = CODES.map(([id, kind], index) => ({
      id,
      ...kind,
      page: 1,
      x: 60,
      y: 40 + index * 140,
      width: id === 'qr' || id === 'datamatrix' ? 120 : 240,
      height: 120,
      value: { column: `column_${index}` },
    }));
    const rows = CODES.map(([, , value]) => `"${value}"`).join(',');
    // A grey page under the codes: they must bring their own white ground.
    const pdf = pagesPdf([{ content: '0.6 g 0 0 612 792 re f' }]);
    const run = await runFill(sandbox, {
      pdf,
      layout: layoutOf(overlays),
      rows: `${rows}\n${rows}\n`,
      args: ['--merge', 'merged.pdf'],
    });
    expect(run.status, run.stderr).toBe(0);
    room.put('out.zip', await sandbox.read('out.zip'));
    room.put('merged.pdf', await sandbox.read('merged.pdf'));
    room.run('unzip', '-q', 'out.zip');
    room.run('pdftoppm', '-r', '200', '-png', 'row_1.pdf', 'row');
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });

  it('[FILL2] three unpackers find it whole', () => {
    expect(room.run('unzip', '-t', 'out.zip')).toContain('No errors detected');
    expect(room.run('7z', 't', 'out.zip')).toContain('Everything is Ok');
    expect(
      room.run(
        'python3',
        '-c',
        "import zipfile; z=zipfile.ZipFile('out.zip'); print(z.testzip(), len(z.namelist()))",
      ),
    ).toBe('None 3\n');
  });

  it('[FILL54] the merged file is clean and has a bookmark per row', () => {
    expect(room.try('qpdf', '--check', 'merged.pdf')).toMatchObject({ status: 0 });
    expect(room.run('mutool', 'show', 'merged.pdf', 'outline').match(/row_/g)).toHaveLength(2);
    expect(room.run('mutool', 'info', 'merged.pdf')).toContain('Pages: 2');
  });

  const zbarReads = CODES.filter(([id]) => id === 'qr' || id === 'code128' || id === 'ean13');
  it.each(zbarReads)('zbar reads the %s on a dark page', (_, __, value) => {
    expect(room.try('zbarimg', '-q', '--raw', 'row-1.png').said.split('\n')).toContain(value);
  });

  it('ZXing reads all of them on a dark page', async () => {
    expect((await scanPicture(room.read('row-1.png'))).sort()).toEqual(
      CODES.map(([, , value]) => value as string).sort(),
    );
  });
});
