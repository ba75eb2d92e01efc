import { describe, expect, it } from 'vitest';
import { contentDisposition, downloadName } from './download-name.ts';

const at = new Date('2026-03-01T23:59:59.999Z');
const header = (name: string | undefined) => contentDisposition(downloadName(name, at));

describe('the name of a ZIP', () => {
  it('[BF62] a name of plain characters: the name and the UTC date, and no second name', () => {
    expect(header('Certificate_2')).toBe('attachment; filename="Certificate_2-2026-03-01.zip"');
  });

  it('[BF62] a package without a name: export and the date', () => {
    for (const name of [undefined, '', ' ', '...', '/'])
      expect(header(name)).toBe('attachment; filename="export-2026-03-01.zip"');
  });

  it('[BF62] other characters: filename has plain letters, filename* the letters of every script', () => {
    expect(header('Küche (2 Räume)')).toBe(
      'attachment; filename="Kuche-2-Raume-2026-03-01.zip"; filename*=UTF-8\'\'K%C3%BCche%20%282%20R%C3%A4ume%29-2026-03-01.zip',
    );
    expect(downloadName('証明書', at)).toEqual({
      plain: 'export-2026-03-01.zip',
      full: '証明書-2026-03-01.zip',
    });
  });

  it('[BF62] paths, quotes, control and bidi characters: never in a name', () => {
    for (const name of [
      '../../etc/passwd',
      'a"; x="b',
      'a\r\nset-cookie: x',
      '.hidden',
      '\u202egpj.exe',
      'x\ud800',
    ]) {
      const { plain, full } = downloadName(name, at);
      expect(plain).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*-2026-03-01\.zip$/);
      expect(full).not.toMatch(/^\.|["\\/\p{Cc}\u202e\ud800]/u);
      expect(header(name)).toMatch(/^[\x20-\x7e]+$/);
    }
    expect(downloadName('n'.repeat(200), at).plain.length).toBeLessThan(100);
  });
});
