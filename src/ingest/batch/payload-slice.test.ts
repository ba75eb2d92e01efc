import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Slice, SliceLimits } from '#lib/records/slice.ts';
import type { Slicer } from '#lib/records/slicer.ts';
import { payloadSlicer } from './payload-slice.ts';
import { readSlice } from './read-slice.ts';
import { ReceivedPayload } from './receive-payload.ts';

const limits: SliceLimits = { maxRows: 3, maxBytes: 200, maxRecordBytes: 100 };

function split(slicer: Slicer, bytes: Buffer, sizes: readonly number[]): Slice[] {
  const slices: Slice[] = [];
  let from = 0;
  for (const size of sizes) {
    slices.push(...slicer.push(bytes.subarray(from, from + size)));
    from += size;
  }
  slices.push(...slicer.push(bytes.subarray(from)), ...slicer.end());
  return slices;
}

const values = fc.array(
  fc.jsonValue({ maxDepth: 3 }).filter((value) => JSON.stringify(value).length < 100),
  { maxLength: 12 },
);
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 });

test('[ING21] JSON in any chunking: every item is found, in slices within the limits', () => {
  fc.assert(
    fc.property(values, sizes, fc.constantFrom(undefined, 1, '\t'), (items, cuts, indent) => {
      const bytes = Buffer.from(JSON.stringify({ items }, null, indent));
      const slices = split(
        payloadSlicer('json', { ...limits, maxRecordBytes: 1000, maxBytes: 2000 }),
        bytes,
        cuts,
      );
      for (const slice of slices) expect(slice.rows).toBeLessThanOrEqual(limits.maxRows);
      const read = slices.flatMap((slice) =>
        readSlice('json', slice, bytes.subarray(slice.start, slice.end)),
      );
      expect(read).toEqual(items.map((value) => ({ ok: true, value: JSON.parse(JSON.stringify(value)) })));
    }),
    { numRuns: 300 },
  );
});

test('[ING21] NDJSON in any chunking: every line is found, with its number', () => {
  const line = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    fc.constantFrom('', ' ', '\r'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), sizes, (lines, cuts) => {
      const bytes = Buffer.from(lines.join('\n'));
      const slices = split(payloadSlicer('ndjson', { ...limits, maxRecordBytes: 1000 }), bytes, cuts);
      const read = slices.flatMap((slice) =>
        readSlice('ndjson', slice, bytes.subarray(slice.start, slice.end)),
      );
      const filled = lines.filter((text) => text.trim() !== '');
      expect(read).toEqual(filled.map((text) => ({ ok: true, value: JSON.parse(text) })));
      expect(slices.reduce((sum, slice) => sum + slice.rows, 0)).toBe(filled.length);
      const first = lines.findIndex((text) => text.trim() !== '');
      if (first !== -1) expect(slices[0]?.line).toBe(first + 1);
    }),
    { numRuns: 300 },
  );
});

test('[ING90] a payload of 26,000 items: the slices grow from 1,000 to 10,000 items', () => {
  const lines = Buffer.from('1\n'.repeat(26_000));
  const slices = split(payloadSlicer('ndjson'), lines, []);
  expect(slices.map(({ rows }) => rows)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 1_000]);
});

test('[ING16] an oversized item: is its own slice, and the others are unchanged', () => {
  const big = `{"a":"${'x'.repeat(500)}"}`;
  const json = Buffer.from(`{"items":[1,${big},2]}`);
  for (const cuts of [[], Array.from({ length: 60 }, () => 10)]) {
    const slices = split(payloadSlicer('json', limits), json, cuts);
    expect(slices.map((slice) => [slice.rows, slice.oversized ?? false])).toEqual([
      [1, false],
      [1, true],
      [1, false],
    ]);
  }
  const lines = split(payloadSlicer('ndjson', limits), Buffer.from(`1\n${big}\n2`), [4, 100]);
  expect(lines.map((slice) => [slice.line, slice.oversized ?? false])).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ]);
});

test('[ING40] a document that is not the envelope: is unreadable', () => {
  const bad = [
    '',
    '[]',
    '{}',
    'null',
    '{"items":1}',
    '{"items":{}}',
    '{"items":[1',
    '{"items":[1]',
    '{"items":[1]}x',
    '{"items":[,]}',
    '{"items":[1,]}',
    '{"items":[,1]}',
    '{"items":[1]]}',
    '{"items":[}]}',
    '{"it ems":[]}',
    '{"items":[],"more":1}',
    '{"x":1,"items":[]}',
  ];
  for (const text of bad) {
    const attempt = () => {
      const bytes = Buffer.from(text);
      const slices = split(payloadSlicer('json', limits), bytes, [2]);
      for (const slice of slices) readSlice('json', slice, bytes.subarray(slice.start, slice.end));
    };
    expect(attempt, text).toThrow(/^The body /);
  }
  for (const text of ['{"items":[]}', ' \n{ "items" :\t[ ] } \n', '\ufeff{"items":[]}'])
    expect(split(payloadSlicer('json', limits), Buffer.from(text), [1, 1, 1])).toEqual([]);
});

test('[ING21] a payload of many slices: is checked while it arrives', async () => {
  const item = JSON.stringify({ source_id: 'x', name: 'y'.repeat(900) });
  async function* chunks(last: string) {
    yield Buffer.from('{"items":[');
    for (let i = 0; i < 20; i += 1) yield Buffer.from(`${`${item},`.repeat(1000)}`);
    yield Buffer.from(`{"pad":"${'z'.repeat(2_000_000)}"},`);
    yield Buffer.from(`${last}]}`);
  }
  const good = new ReceivedPayload('json', 1e9);
  for await (const _chunk of good.through(chunks('1'))) {
    // The test is that this does not throw.
  }
  expect(good.items).toBe(20_002);
  expect(good.slices.filter((slice) => slice.oversized)).toHaveLength(1);
  const broken = new ReceivedPayload('json', 1e9);
  const drain = async () => {
    for await (const _chunk of broken.through(chunks('tru'))) {
      // Fails no later than at its last byte.
    }
  };
  await expect(drain()).rejects.toThrow('The body is not valid JSON.');
});
