import { createCipheriv, createHmac, hkdfSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, fillArguments, layoutOf, openArchive } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { quartersJpeg } from '../support/small-jpeg.ts';
import { sourcePdf } from '../support/source-pdf.ts';

const missing = missingJudges('qpdf', 'pdftotext', 'mutool');
if (missing.length > 0) console.log(`judges of passwords skipped: ${missing.join(', ')} not installed`);

const SECRET = '5'.repeat(64);
const PASSWORDS = ['orchid-7719', 'pässwörd'];

describe.skipIf(missing.length > 0)('encrypted rows', () => {
  const room = new JudgeRoom();
  let sandbox: CliSandbox;
  beforeAll(async () => {
    sandbox = await cliSandbox();
    const fields = [{ name: 'employee', kind: 'text', rects: [[72, 600, 300, 620]] }] as const;
    await sandbox.write('source.pdf', sourcePdf({ pages: [{}, {}], fields }));
    const photo = Buffer.from(quartersJpeg).toString('base64');
    await sandbox.write(
      'layout.json',
      layoutOf(
        [
          { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
          { id: 'photo', type: 'image', ...box, y: 300, value: { column: 'column_2' } },
        ],
        {
          columns: [0, 1, 2].map((column) => ({ key: `column_${column}`, label: `Column ${column}` })),
          form_fields: [{ id: 'f', field: 'employee', value: { column: 'column_0' } }],
        },
      ),
    );
    await sandbox.write(
      'rows.json',
      PASSWORDS.map((password, row) => ({ column_0: `Żółć ${row}`, column_1: password, column_2: photo })),
    );
    const letter = fillArguments('layout.json', 'rows.json');
    await sandbox.run([...letter, '-o', 'plain.zip']);
    const run = await sandbox.run([...letter, '--password-column', 'column_1', '-o', 'out.zip'], {
      ROWPRESS_SECRET_KEY: SECRET,
    });
    expect(run.stderr).toContain('2 of 2 rows');
    const { files } = openArchive(await sandbox.read('out.zip'));
    for (const row of [1, 2]) room.put(`row_${row}.pdf`, files[`row_${row}.pdf`] ?? new Uint8Array());
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });

  it('[FILL250] qpdf: finds AES-256 of revision 6 and no fault with the right password', () => {
    for (const [row, password] of PASSWORDS.entries()) {
      const { status, said } = room.try('qpdf', `--password=${password}`, '--check', `row_${row + 1}.pdf`);
      expect([status, said]).toEqual([0, expect.stringContaining('No syntax or stream encoding errors')]);
      expect(said).toContain('R = 6');
      expect(said).toContain('Supplied password is user password');
      for (const method of ['stream', 'string', 'file'])
        expect(said).toContain(`${method} encryption method: AESv3`);
    }
  });

  it('[FILL250] poppler and MuPDF: read the text with the right password', () => {
    for (const [row, password] of PASSWORDS.entries()) {
      const file = `row_${row + 1}.pdf`;
      expect(room.run('pdftotext', '-upw', password, file, '-')).toContain(`Żółć ${row}`);
      expect(room.run('mutool', 'draw', '-q', '-p', password, '-F', 'txt', file)).toContain(`Żółć ${row}`);
    }
  });

  it('[FILL250] [FILL252] the owner password of each row: derived from the secret and the row, and qpdf accepts it', async () => {
    const key = Buffer.from(
      hkdfSync('sha256', Buffer.from(SECRET, 'hex'), Buffer.alloc(0), 'rowpress/row-passwords', 32),
    );
    const { manifest } = openArchive(await sandbox.read('plain.zip'));
    const owners = PASSWORDS.map((password, row) => {
      const head = `row ${row + 1} ${manifest.row_results[row]?.sha256} ${Buffer.byteLength(password)} `;
      const seed = createHmac('sha256', key).update(head).update(password).digest();
      const stream = createCipheriv('aes-256-ctr', seed, Buffer.alloc(16)).update(Buffer.alloc(44));
      return stream.subarray(32).toString('base64url');
    });
    for (const [row, owner] of owners.entries()) {
      const { said } = room.try('qpdf', `--password=${owner}`, '--check', `row_${row + 1}.pdf`);
      expect(said).toContain('Supplied password is owner password');
    }
    expect(new Set(owners).size).toBe(2);
  });

  it('[FILL250] a wrong password, and none: no reader opens the file', () => {
    for (const wrong of ['', 'orchid-7718', PASSWORDS[1] ?? '']) {
      expect(room.try('qpdf', `--password=${wrong}`, '--check', 'row_1.pdf').said).toContain(
        'invalid password',
      );
      expect(room.try('pdftotext', '-upw', wrong, 'row_1.pdf', '-').status).not.toBe(0);
      expect(room.try('mutool', 'draw', '-q', '-p', wrong, '-F', 'txt', 'row_1.pdf').status).not.toBe(0);
    }
  });
});
