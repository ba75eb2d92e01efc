import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CsvRows } from './csv-rows.ts';
import { JsonRows } from './json-rows.ts';
import { DEFAULT_ROW_LIMITS, type RowDecoder, readRows } from './read-rows.ts';
import type { RowCells } from './row-cells.ts';
import { RowsDigest } from './rows-digest.ts';
import { RowsRefused } from './rows-refused.ts';

const limits = DEFAULT_ROW_LIMITS;
const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(
  text: string,
  chunk = text.length || 1,
  decoder: RowDecoder = new JsonRows(limits),
): Promise<RowCells[]> {
  const bytes = utf8(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  );
  const rows: RowCells[] = [];
  for await (const batch of readRows(chunks, decoder, limits)) rows.push(...batch);
  return rows;
}

async function refusal(text: string, chunk?: number): Promise<string> {
  try {
    await read(text, chunk);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof RowsRefused)) throw error;
    return error.code;
  }
}

async function digest(text: string, decoder: RowDecoder): Promise<string> {
  const hash = createHash('sha256');
  new RowsDigest(hash).update(await read(text, 5, decoder));
  return hash.digest('hex');
}

describe('[FILL21] rows as JSON', () => {
  it('numbers, booleans and blanks: numbers keep their text', async () => {
    const text =
      ' [ {"column_0": 1.50, "column_1":12345678901234567890,"column_2":-0e+5, "column_3":true} ,{"column_0":null,"column_1":"","column_2":"x", "other" : "kept"},{}] ';
    for (const chunk of [1, 2, 7, 1000]) {
      expect((await read(text, chunk)).map((row) => [...row])).toEqual([
        [
          ['column_0', '1.50'],
          ['column_1', '12345678901234567890'],
          ['column_2', '-0e+5'],
          ['column_3', 'true'],
        ],
        [
          ['column_2', 'x'],
          ['other', 'kept'],
        ],
        [],
      ]);
    }
  });

  it('escapes, all scripts and lone surrogates: are read', async () => {
    const [row] = await read(
      '\ufeff[{"column_0":"a\\u00eb\\n\\"\\\\/\\/","column_1":"李😀","column_2":"\\ud83d\\ude00 \\ud800"}]',
      1,
    );
    expect([...(row ?? [])]).toEqual([
      ['column_0', 'aë\n"\\//'],
      ['column_1', '李😀'],
      ['column_2', '😀 \ufffd'],
    ]);
  });

  it('objects and arrays: are kept as canonical JSON', async () => {
    const [row] = await read('[{"column_0":{"b" : [1, {"c":"]}"}], "a":null},"column_1":[]}]');
    expect([...(row ?? [])]).toEqual([
      ['column_0', { json: '{"a":null,"b":[1,{"c":"]}"}]}' }],
      ['column_1', { json: '[]' }],
    ]);
  });

  it('a repeated key: the last one wins', async () => {
    expect(
      (await read('[{"column_0":"a","column_0":"b","column_1":"c","column_1":null}]')).map((row) => [...row]),
    ).toEqual([[['column_0', 'b']]]);
  });

  it.each([
    '',
    '{}',
    '"x"',
    'null',
    '[1]',
    '[null]',
    '["x"]',
    '[[]]',
    '[{"a":1},]',
    '[,{"a":1}]',
    '[{"a":1} {"a":1}]',
    '[{"a":1}',
    '[{"a":1',
    '[{"a":01}]',
    '[{"a":+1}]',
    '[{"a":.5}]',
    '[{"a":1.}]',
    '[{"a":NaN}]',
    '[{"a":tru}]',
    '[{"a":\'x\'}]',
    '[{a:1}]',
    '[{"a"}]',
    '[{"a":}]',
    '[{"a":1,}]',
    '[{"a":"\\x"}]',
    '[{"a":"\n"}]',
    '[{"a":"\\u12"}]',
    '[{"a":[1,]}]',
    '[{"a":[1}]',
    '[{"a":1}}]',
    '[{"a":1}]]',
    '[{"a":1}] x',
    '[{"__proto__":1}]',
    '[{"a":{"__proto__":1}}]',
    '[{"a":{"b":[{"__proto__":null}]}}]',
    '[{"__pro\\u0074o__":1}]',
    '[{"a":1 "b":2}]',
    '[{"a":"x',
  ])('%s: rejected', async (text) => {
    for (const chunk of [1, 1000]) expect(await refusal(text, chunk)).toBe('INVALID_ROWS_JSON');
  });

  it('bytes that are not UTF-8: rejected', () => {
    expect(() => new JsonRows(limits).push(Uint8Array.of(0x5b, 0xff, 0x5d))).toThrow(RowsRefused);
  });

  it('32 levels: accepted; 33 or 100,000: rejected without recursion', async () => {
    const nested = (levels: number) => `[{"column_0":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}]`;
    expect(await refusal(nested(32))).toBe('accepted');
    expect(await refusal(nested(33))).toBe('INVALID_ROWS_JSON');
    expect(await refusal('['.repeat(100_000))).toBe('INVALID_ROWS_JSON');
    expect(await refusal(`[{"a":${'{"a":'.repeat(100_000)}`, 4096)).toBe('INVALID_ROWS_JSON');
  });

  it('no rows, or too many columns: rejected', async () => {
    expect(await refusal('[]')).toBe('NO_ROWS');
    expect(await refusal('[{"column_4999":1}]')).toBe('accepted');
    expect(await refusal('[{"column_5000":1}]')).toBe('TOO_MANY_COLUMNS');
    const wide = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`k${i}`, 1]));
    expect(await refusal(JSON.stringify([wide]))).toBe('TOO_MANY_COLUMNS');
  });

  it('a string of ten million characters: is read', async () => {
    const [row] = await read(JSON.stringify([{ column_0: 'x"'.repeat(5_000_000) }]), 65_536);
    expect(row?.get('column_0')).toHaveLength(10_000_000);
  });
});

describe('[FILL22] the digest of rows', () => {
  const csv = (text: string) => digest(text, new CsvRows({ header: false, limits }));
  const json = (text: string) => digest(text, new JsonRows(limits));

  it('equal cells from CSV and JSON: equal digests', async () => {
    const reference = await csv('Ann,"1.50",\nBob,,x\n');
    expect(await csv('\ufeffAnn;1.50\r\n"Bob";;"x"\r\n\r\n')).toBe(reference);
    expect(await json('[{"column_0":"Ann","column_1":1.50},{"column_0":"Bob","column_2":"x"}]')).toBe(
      reference,
    );
    expect(
      await json(
        '[ {"column_1":"1.50","column_2":null,"column_0":"A\\u006en"},\n{"column_2":"x","column_1":"","column_0":"Bob"} ]',
      ),
    ).toBe(reference);
  });

  it('another cell, column, order or row: another digest', async () => {
    const others = [
      'Ann,1.5,\nBob,,x\n',
      'Ann,,1.50\nBob,,x\n',
      'Bob,,x\nAnn,1.50\n',
      'Ann,1.50\nBob,,x\n\nC\n',
      'Ann,1.50\n\nBob,,x\n',
    ];
    const digests = new Set([await csv('Ann,1.50\nBob,,x\n')]);
    for (const text of others) digests.add(await csv(text));
    digests.add(await json('[{"column_0":"Ann","column_1":["1.50"]},{"column_0":"Bob","column_2":"x"}]'));
    digests.add(
      await json('[{"column_0":"Ann","column_1":"[\\"1.50\\"]"},{"column_0":"Bob","column_2":"x"}]'),
    );
    digests.add(await json('[{"column_0":"Ann","column_1":1.50,"z":"y"},{"column_0":"Bob","column_2":"x"}]'));
    expect(digests.size).toBe(9);
  });
});
