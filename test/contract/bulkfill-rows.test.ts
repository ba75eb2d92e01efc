import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { box, layoutOf } from '../support/fill-cli.ts';
import { hostilePdf, KEPT_ACTIONS, marksIn } from '../support/hostile-source.ts';
import { pageTexts } from '../support/read-pdf.ts';

let scene: Scene;
let client: BulkfillClient;
beforeAll(async () => {
  scene = await openScene({
    layout: layoutOf([
      { id: 'a', type: 'text', ...box, value: { column: 'column_0' } },
      { id: 'b', type: 'text', ...box, y: 200, value: { column: 'column_1' } },
    ]),
    env: {
      ROWPRESS_MAX_ROWS: '50',
      ROWPRESS_MAX_COLUMNS: '5',
      ROWPRESS_MAX_ROWS_BYTES: '300000',
      ROWPRESS_KEEP_PDF_ACTIONS: 'true',
    },
  });
  client = scene.client;
});
afterAll(() => scene.server.stop());
afterEach(async () => {
  expect(await scene.server.temporaryFiles()).toEqual([]);
});

const json = (rows_json: string | Uint8Array) => ({
  rows_json,
  csv_file: null,
  max_failed_row_percent: '100',
});
const csv = (csv_file: string | Uint8Array) => ({
  rows_json: null,
  csv_file: typeof csv_file === 'string' ? new TextEncoder().encode(csv_file) : csv_file,
  max_failed_row_percent: '100',
});

/** Texts drawn on each row's page, excluding the page's own. */
async function drawn(fields: Record<string, string | Uint8Array | null>): Promise<string[]> {
  const { status, body } = await client.create(fields);
  expect([status, body.code]).toEqual([200, undefined]);
  const { files, manifest } = await client.archive(body.job_id);
  return Promise.all(
    manifest.row_results.map(async ({ file_name, error }) =>
      file_name === null
        ? (error?.code ?? '')
        : ((await pageTexts(files[file_name] ?? new Uint8Array()))[0] ?? '').replace('page 1', '').trim(),
    ),
  );
}

async function expectRefused(
  fields: Record<string, string | Uint8Array | null>,
  status: number,
  code: string,
) {
  const answer = await client.create(fields);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  return answer.body.message;
}

describe('rows_json', () => {
  it('[BF18] rows_json that is not an array of objects: 400 INVALID_ROWS_JSON', async () => {
    const bad = [
      '',
      '{}',
      '"rows"',
      'null',
      '[1]',
      '[null]',
      '[[]]',
      '["a"]',
      '[{"column_0":"a"}',
      '[{"column_0":"a"},]',
      '[{"column_0":"a"}] x',
      '[{column_0:"a"}]',
      "[{'column_0':'a'}]",
      '[{"column_0":"a\u0000"',
      '[{"__proto__":"a"}]',
      '[{"column_0":{"__proto__":{}}}]',
      '[NaN]',
      `[${'['.repeat(100_000)}`,
      `[{"column_0":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
      `[{"column_0":${'['.repeat(40)}${']'.repeat(40)}}]`,
    ];
    for (const text of bad) await expectRefused(json(text), 400, 'INVALID_ROWS_JSON');
    await expectRefused(json(Uint8Array.of(0x5b, 0x7b, 0xff, 0x7d, 0x5d)), 400, 'INVALID_ROWS_JSON');
    await expectRefused(json(new Uint8Array(100)), 400, 'INVALID_ROWS_JSON');
  });

  it('[BF19] JSON values: numbers as sent, one kind of blank, other keys ignored', async () => {
    const rows =
      '[{"column_0":1.50,"column_1":12345678901234567890},{"column_0":true,"column_1":null},{"column_1":""},' +
      '{"column_0":"x","other":{"deep":[1]},"constructor":"c","column_1":-0.0}]';
    expect(await drawn(json(rows))).toEqual(['1.50 12345678901234567890', 'true', '', 'x -0.0']);
  });

  it('[BF20] a mapped cell that is an object or array: fails its row only', async () => {
    const rows = [{ column_0: { a: 1 } }, { column_0: 'fine', column_4: {} }, { column_1: [] }];
    expect(await drawn(json(rowsJson(rows)))).toEqual(['ROW_VALUE_INVALID', 'fine', 'ROW_VALUE_INVALID']);
  });

  it('[BF16] rows with a byte order mark, in many chunks: accepted', async () => {
    expect(await drawn(json(new TextEncoder().encode('\ufeff [ {"column_0" : "a"} ] \n')))).toEqual(['a']);
  });
});

describe('csv_file', () => {
  it('[BF21] a CSV file: columns by position, the first line is data', async () => {
    expect(
      await drawn(csv('Name,Town\r\n"Smith, J.","say ""hi"""\r\nragged\r\n,only second\r\n\r\n\r\n')),
    ).toEqual(['Name Town', 'Smith, J. say "hi"', 'ragged', 'only second']);
  });

  it('[BF21] other separators and line ends: recognised', async () => {
    for (const text of ['a;b\nc;d\n', 'a\tb\rc\td', 'a|b\r\nc|d', '"a","b"\n"c","d"'])
      expect(await drawn(csv(text)), JSON.stringify(text)).toEqual(['a b', 'c d']);
  });

  it('[BF22] UTF-8, or UTF-16 with a mark: accepted; Latin-1, NUL and open quotes: 400 INVALID_CSV', async () => {
    const utf16 = (text: string, big: boolean) => {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
      return Uint8Array.from(big ? bytes.swap16() : bytes);
    };
    for (const bytes of [
      new TextEncoder().encode('Zoë,Łódź\n'),
      new TextEncoder().encode('\ufeffZoë,Łódź\n'),
      utf16('Zoë,Łódź\n', false),
      utf16('Zoë,Łódź\n', true),
    ])
      expect(await drawn(csv(bytes))).toEqual(['Zoë Łódź']);
    const bad = [
      Buffer.from('Zoë,1\n', 'latin1'),
      Buffer.from('a\0b,c\n'),
      Buffer.from('"open,1\n2,3\n'),
      Buffer.from('"a"b,c\n'),
      Buffer.from('Zoë\n', 'utf16le'),
    ];
    for (const bytes of bad) await expectRefused(csv(Uint8Array.from(bytes)), 400, 'INVALID_CSV');
  });

  it('[BF79] csv_header: the first line is not a row', async () => {
    expect(await drawn({ ...csv('Name,Town\nAda,London\n'), csv_header: 'true' })).toEqual(['Ada London']);
    await expectRefused({ ...csv('Name,Town\n'), csv_header: 'true' }, 422, 'NO_ROWS');
  });

  it('[BF23] has the same rows as JSON with equal cells: the same request, and the same PDFs', async () => {
    const first = await client.create(csv('a,1.50\n"b ""q""",\n'), { key: 'both-ways' });
    const second = await client.create(
      json('[ {"column_1":1.50, "column_0":"a"}, {"column_0":"b \\u0022q\\"","column_1":null} ]'),
      { key: 'both-ways' },
    );
    expect([first.status, second.status, second.body.job_id]).toEqual([200, 200, first.body.job_id]);
  });
});

describe('amounts', () => {
  it('[BF24] no rows: 422', async () => {
    for (const fields of [json('[]'), json(' [ ] '), csv(''), csv('\n\n'), csv('\ufeff')])
      await expectRefused(fields, 422, 'NO_ROWS');
  });

  it('[BF25] rows and columns at their limits: accepted; above them: rejected', async () => {
    const rows = (count: number) => rowsJson(Array(count).fill({ column_0: 'a' }));
    const wide = (count: number) =>
      rowsJson([Object.fromEntries(Array.from({ length: count }, (_, i) => [`column_${i}`, 'a']))]);
    expect(await drawn(json(rows(50)))).toHaveLength(50);
    await expectRefused(json(rows(51)), 422, 'TOO_MANY_ROWS');
    await expectRefused(csv('a\n'.repeat(51)), 422, 'TOO_MANY_ROWS');
    expect(await drawn(json(wide(5)))).toEqual(['a a']);
    await expectRefused(json(wide(6)), 422, 'TOO_MANY_COLUMNS');
    await expectRefused(csv('1,2,3,4,5,6\n'), 422, 'TOO_MANY_COLUMNS');
    await expectRefused(json(new Uint8Array(300_001).fill(32)), 413, 'ROWS_TOO_LARGE');
    await expectRefused(csv(new Uint8Array(300_001).fill(97)), 413, 'ROWS_TOO_LARGE');
  });

  it('[BF25] a cell with too many code points: fails its row only', async () => {
    const rows = [
      { column_0: 'x'.repeat(10_001) },
      { column_0: 'ok' },
      { column_4: 'x'.repeat(10_001), column_0: 'free' },
    ];
    expect(await drawn(json(rowsJson(rows)))).toEqual(['ROW_VALUE_TOO_LONG', 'ok', 'free']);
  });
});

it('[FILL191] a server with ROWPRESS_KEEP_PDF_ACTIONS: keeps actions, says so in engine, and fills failed rows again', async () => {
  const bad = { rows_json: rowsJson([{ column_0: 'a' }, { column_0: {} }]), max_failed_row_percent: '100' };
  const { body } = await client.create({ ...bad, pdf: hostilePdf() });
  const { files, manifest } = await client.archive(body.job_id);
  expect(manifest.engine).toMatch(/^rowpress-fill\/\d+(\+fonts\.[0-9a-f]{8})?\+actions$/);
  expect(marksIn(files['row_1.pdf'] ?? new Uint8Array())).toEqual(
    expect.arrayContaining(KEPT_ACTIONS.map((kind) => `EVIL-link-${kind}`)),
  );
  const retried = await client.request(`/v1/bulkfill/export-jobs/${body.job_id}/retry`, {
    method: 'POST',
    headers: { 'idempotency-key': 'again', 'content-type': 'application/json' },
    body: JSON.stringify({ rows: [{ row_number: 2, cells: { column_0: 'b' } }] }),
  });
  expect([retried.status, retried.body.status]).toEqual([200, 'completed']);
});
