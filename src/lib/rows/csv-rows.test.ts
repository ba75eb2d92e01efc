import { describe, expect, it } from 'vitest';
import { CsvRows } from './csv-rows.ts';
import { DEFAULT_ROW_LIMITS, readRows } from './read-rows.ts';
import { RowsRefused } from './rows-refused.ts';

type Settings = {
  encoding?: string;
  encodingSetting?: string;
  separator?: string;
  header?: boolean;
  chunk?: number;
  maxColumns?: number;
  maxRows?: number;
  maxBytes?: number;
};

async function read(input: string | Uint8Array, settings: Settings = {}): Promise<string[][]> {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const {
    header = false,
    chunk = bytes.length || 1,
    encoding,
    encodingSetting,
    separator,
    ...changed
  } = settings;
  const limits = { ...DEFAULT_ROW_LIMITS, ...changed };
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  );
  const rows: string[][] = [];
  for await (const batch of readRows(
    chunks,
    new CsvRows({ header, encoding, encodingSetting, separator, limits }),
    limits,
  )) {
    for (const row of batch) {
      const cells: string[] = [];
      for (const [key, cell] of row) cells[Number(key.slice('column_'.length))] = String(cell);
      rows.push(Array.from(cells, (cell) => cell ?? ''));
    }
  }
  return rows;
}

async function refusal(input: string | Uint8Array, settings?: Settings): Promise<string> {
  try {
    await read(input, settings);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof RowsRefused)) throw error;
    return `${error.code} ${error.message}`;
  }
}

describe('[FILL20] the CSV dialect', () => {
  it('columns by position: row 1 is data unless the caller says that it contains names', async () => {
    expect(await read('name,ref\nAnn,1\n')).toEqual([
      ['name', 'ref'],
      ['Ann', '1'],
    ]);
    expect(await read('name,ref\nAnn,1\n', { header: true })).toEqual([['Ann', '1']]);
  });

  it('quotes, doubled quotes, line ends inside quotes and quotes inside plain fields: are read', async () => {
    expect(await read('"a,""b""","c\r\nd",5" pipe,e"f\n')).toEqual([['a,"b"', 'c\r\nd', '5" pipe', 'e"f']]);
    expect(await read('"",x\n"a"')).toEqual([['', 'x'], ['a']]);
  });

  it('CRLF, LF and CR in one file: all end lines', async () => {
    expect(await read('a\r\nb\nc\rd')).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('ragged rows: accepted; blank lines: rows between rows, dropped at the end', async () => {
    expect(await read('a,b,c\nd\n\n,e\n\n  \n,,\n')).toEqual([['a', 'b', 'c'], ['d'], [], ['', 'e']]);
    expect(await read('a\n""\n')).toEqual([['a'], []]);
  });

  it.each([',', ';', '\t', '|'])('the separator %j: is detected', async (separator) => {
    const text = [
      ['a', 'b, c; d', 'e'],
      ['1', '2', '3'],
    ]
      .map((row) => row.map((cell) => (cell.length > 1 ? `"${cell}"` : cell)).join(separator))
      .join('\n');
    expect(await read(text)).toEqual([
      ['a', 'b, c; d', 'e'],
      ['1', '2', '3'],
    ]);
  });

  it('a decimal comma: is not a separator', async () => {
    expect(await read('1,5;2,5\n3;4,25\n')).toEqual([
      ['1,5', '2,5'],
      ['3', '4,25'],
    ]);
    expect(await read('Ann;1,5;x\nBob;2,5;y\n')).toEqual([
      ['Ann', '1,5', 'x'],
      ['Bob', '2,5', 'y'],
    ]);
    expect(await read('1,5\n2,5\n')).toEqual([
      ['1', '5'],
      ['2', '5'],
    ]);
  });

  it('UTF-8 with or without BOM and UTF-16 with BOM, in any chunking: are read', async () => {
    const rows = [
      ['Zoë', '李雷😀'],
      ['x', 'y'],
    ];
    const text = 'Zoë,"李雷😀"\r\nx,y\r\n';
    const utf16 = (little: boolean) => {
      const bytes = new Uint8Array(2 + text.length * 2);
      const view = new DataView(bytes.buffer);
      view.setUint16(0, 0xfeff, little);
      for (let i = 0; i < text.length; i += 1) view.setUint16(2 + 2 * i, text.charCodeAt(i), little);
      return bytes;
    };
    for (const input of [text, `\ufeff${text}`, utf16(true), utf16(false)]) {
      for (const chunk of [1, 2, 3, 7, 1000]) expect(await read(input, { chunk })).toEqual(rows);
    }
  });

  it('other encodings: rejected with a hint', async () => {
    expect(await refusal(Uint8Array.of(0x5a, 0x6f, 0xeb, 0x0a))).toMatch(/^INVALID_CSV .*UTF-8/);
    expect(await refusal(Uint8Array.of(0x41, 0, 0x42, 0, 0x0a, 0))).toMatch(
      /^INVALID_CSV .*offset 1 is a NUL.*probably utf-16le/,
    );
  });

  it('an open quote and text after a closing quote: rejected with the line', async () => {
    expect(await refusal('a,b\nc,"d\ne\n')).toBe('INVALID_CSV A quote opened on line 2 is never closed.');
    expect(await refusal('a\r\nb\r\n"c"d\n')).toMatch(/^INVALID_CSV Line 3 /);
  });

  it('no rows, or too many rows, columns or bytes: rejected', async () => {
    for (const input of ['', '\n\n', '\ufeff']) expect(await refusal(input)).toMatch(/^NO_ROWS /);
    expect(await refusal('only,names\n', { header: true })).toMatch(/^NO_ROWS /);
    expect(await refusal('a\nb\nc\n', { maxRows: 2 })).toMatch(/^TOO_MANY_ROWS /);
    expect(await refusal(`${'\n'.repeat(1000)}a`, { maxRows: 2 })).toMatch(/^TOO_MANY_ROWS /);
    expect(await refusal('a,b,c\n', { maxColumns: 2 })).toMatch(/^TOO_MANY_COLUMNS /);
    expect(await refusal('a\nb\n', { maxBytes: 3 })).toMatch(/^ROWS_TOO_LARGE /);
  });

  it('a file larger than the sample, with a quoted field larger than any chunk: is read', async () => {
    const big = 'x,\n'.repeat(40_000);
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i};"n ${i}"`);
    const text = `a;"${big}"\n${rows.join('\n')}\n`;
    const result = await read(text, { chunk: 1024 });
    expect(result).toHaveLength(20_001);
    expect(result[0]).toEqual(['a', big]);
    expect(result[20_000]).toEqual(['19999', 'n 19999']);
  });
});

describe('[FILL136] a first line that names the separator', () => {
  it.each(['sep=;', 'SEP=;', '"sep=;"', '\ufeffsep=;', '\ufeff"sep=;"'])('%j: is not a row', async (line) => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(await read(`${line}${end}a,b;c${end}d;e`)).toEqual([
        ['a,b', 'c'],
        ['d', 'e'],
      ]);
  });

  it('a comma, a tab or any other sign: separates the cells', async () => {
    expect(await read('sep=,\na;b,c;d\n')).toEqual([['a;b', 'c;d']]);
    expect(await read('sep=\t\na,b\tc,d\n')).toEqual([['a,b', 'c,d']]);
    expect(await read('sep=^\na,b^c,d\n')).toEqual([['a,b', 'c,d']]);
  });

  it('before a header, in chunks of one byte, and before a broken quote: the lines are counted', async () => {
    expect(await read('sep=;\nname;ref\nAnn;1\n', { header: true, chunk: 1 })).toEqual([['Ann', '1']]);
    expect(await refusal('sep=;\na;b\n"open')).toBe('INVALID_CSV A quote opened on line 3 is never closed.');
    expect(await refusal('sep=;\n')).toBe('NO_ROWS There are no rows to fill.');
  });

  it('a separator that a person chose: takes precedence', async () => {
    expect(await read('sep=;\na;b|c\n', { separator: '|', chunk: 1 })).toEqual([['a;b', 'c']]);
  });

  it('such a line elsewhere, or with a letter: is a row', async () => {
    expect(await read('a;b\nsep=;\n')).toEqual([['a', 'b'], ['sep=']]);
    expect(await read('sep=x\n')).toEqual([['sep=x']]);
  });
});

describe('[FILL138] the encoding of a CSV', () => {
  const windows = Uint8Array.from([...'a;b\nM\xfcller;\x80 5\n'].map((char) => char.charCodeAt(0)));

  it('given by its label: decodes the file, in any chunking', async () => {
    for (const chunk of [1, 2, 3, 100])
      expect(await read(windows, { encoding: 'windows-1252', chunk })).toEqual([
        ['a', 'b'],
        ['Müller', '€ 5'],
      ]);
    const wide = new Uint8Array(Buffer.from('a,Łódź\n', 'utf16le'));
    expect(await read(wide, { encoding: 'utf-16le', chunk: 3 })).toEqual([['a', 'Łódź']]);
    expect(await read(Uint8Array.of(0x93, 0x8c, 0x2c, 0x61), { encoding: 'shift_jis' })).toEqual([
      ['東', 'a'],
    ]);
  });

  it('not given: the refusal names the byte, its offset and the likely encoding', async () => {
    for (const chunk of [1, 2, 5, 100]) {
      const said = await refusal(windows, { chunk, encodingSetting: 'csv_encoding=' });
      expect(said).toMatch(/^INVALID_CSV Byte 0xFC at offset 5 is not UTF-8/);
    }
    expect(await refusal(windows, { encodingSetting: 'csv_encoding=' })).toBe(
      'INVALID_CSV Byte 0xFC at offset 5 is not UTF-8; the file is probably windows-1252: set csv_encoding=windows-1252, or save the file as UTF-8 (in a spreadsheet: "CSV UTF-8").',
    );
    expect(await refusal(windows)).toContain('windows-1252. Save it as UTF-8');
  });

  it('an incomplete character, far into the file or at its end: the offset of its start', async () => {
    const long = 'ä,b\n'.repeat(40_000);
    const bytes = new Uint8Array([...new TextEncoder().encode(long), 0x61, 0xe4, 0x62, 0x0a]);
    for (const chunk of [1000, 8192, 1 << 20])
      expect(await refusal(bytes, { chunk })).toMatch(/Byte 0xE4 at offset 200001 is not UTF-8/);
    const cut = new TextEncoder().encode('a,ä').slice(0, -1);
    for (const chunk of [1, 10])
      expect(await refusal(cut, { chunk })).toMatch(/Byte 0xC3 at offset 2 is not/);
  });

  it('given, but wrong: the refusal names it', async () => {
    expect(await refusal(Uint8Array.of(0x61, 0xff, 0x0a), { encoding: 'shift_jis' })).toMatch(
      /^INVALID_CSV Byte 0xFF at offset 1 is not SHIFT_JIS/,
    );
  });
});
