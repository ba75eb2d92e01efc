import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { JsonRows } from '#lib/rows/json-rows.ts';
import { DEFAULT_ROW_LIMITS, type RowDecoder, readRows } from '#lib/rows/read-rows.ts';
import { RowsDigest } from '#lib/rows/rows-digest.ts';
import { effectiveBody, isSameUnread } from './effective-body.ts';
import type { InputFile } from './input-file.ts';
import type { CreateForm, Delivery, FilePart } from './read-form.ts';
import type { ResolvedForm } from './resolve-source.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const keyedHash = (text: string) => sha(`keyed:${text}`);
const part = (content: string) => ({ sha256: sha(content) }) as FilePart;
const file = (content: string) => ({ sha256: sha(content) }) as InputFile;

/** The meaning of a request, independent of its spelling. */
interface Meaning {
  readonly pdf: string;
  readonly package: string;
  readonly assets: string | undefined;
  readonly rows: readonly (readonly string[])[];
  readonly options: CreateForm['options'];
  readonly delivery: Delivery;
}

const cell = fc.string({ maxLength: 6 }).map((text) => text.replace(/\0/g, '').toWellFormed());
const meaning: fc.Arbitrary<Meaning> = fc.record({
  pdf: fc.constantFrom('pdf a', 'pdf b'),
  package: fc.constantFrom('package a', 'package b'),
  assets: fc.constantFrom(undefined, 'assets a', 'assets b'),
  // A first cell that is never blank prevents trailing lines from being dropped.
  rows: fc.array(
    fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), cell, cell).map((cells) => [...cells]),
    { minLength: 1, maxLength: 4 },
  ),
  options: fc.record({
    max_failed_row_percent: fc.constantFrom(0, 5),
    include_stickers: fc.boolean(),
    flatten_forms: fc.boolean(),
    filename_columns: fc.constantFrom([], ['column_0'], ['column_0', 'column_1']),
    dry_run: fc.boolean(),
  }),
  delivery: fc.constantFrom<Delivery>(
    { mode: 'response' },
    { mode: 'webhook', url: 'https://a.example/', secret: 's', target: {} as never },
    { mode: 'webhook', url: 'https://a.example/', secret: 't', target: {} as never },
    { mode: 'webhook', url: 'https://b.example/', secret: 's', target: {} as never },
  ),
});

const spelling = fc.record({
  csv: fc.boolean(),
  quote: fc.boolean(),
  crlf: fc.boolean(),
  turned: fc.boolean(),
  spaces: fc.integer({ min: 0, max: 3 }),
  header: fc.boolean(),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer S> ? S : never;

function write(
  rows: Meaning['rows'],
  how: Spelling,
): { text: string; decoder: RowDecoder; format: 'csv' | 'json' } {
  if (how.csv) {
    const field = (text: string) =>
      how.quote || /[",;|\t\r\n]/.test(text) || text.startsWith('\ufeff')
        ? `"${text.replaceAll('"', '""')}"`
        : text;
    const end = how.crlf ? '\r\n' : '\n';
    const lines = rows.map((row) => row.map(field).join(','));
    // Enough commas that no other separator is detected.
    const text = [...(how.header ? ['h,h,h,h'] : []), ...lines].join(end) + end;
    return { text, decoder: new CsvRows({ header: how.header, limits: DEFAULT_ROW_LIMITS }), format: 'csv' };
  }
  const objects = rows.map((row) => {
    const entries = row.map((text, i): [string, string | null] => [
      `column_${i}`,
      text === '' && how.quote ? null : text,
    ]);
    return Object.fromEntries(how.turned ? entries.reverse() : entries);
  });
  return {
    text: JSON.stringify(objects, null, how.spaces),
    decoder: new JsonRows(DEFAULT_ROW_LIMITS),
    format: 'json',
  };
}

async function bodyOf(meant: Meaning, how: Spelling) {
  const { text, decoder, format } = write(meant.rows, how);
  const hash = createHash('sha256');
  const digest = new RowsDigest(hash);
  for await (const batch of readRows([Buffer.from(text)], decoder)) digest.update(batch);
  const form: ResolvedForm = {
    source: {} as never,
    pdf: file(meant.pdf),
    package: file(meant.package),
    rows: { format, part: part(text) },
    assets: meant.assets === undefined ? undefined : part(meant.assets),
    csvHeader: how.csv && how.header,
    matchColumns: 'position',
    csvEncoding: undefined,
    cellValues: 'shown',
    options: meant.options,
    delivery: meant.delivery,
  };
  return { form, body: effectiveBody(form, hash.digest('hex'), 'engine', keyedHash) };
}

describe('[BF41] the effective body', () => {
  it('two spellings of one meaning: equal digests', async () => {
    await fc.assert(
      fc.asyncProperty(meaning, spelling, spelling, async (meant, one, other) => {
        const [a, b] = await Promise.all([bodyOf(meant, one), bodyOf(meant, other)]);
        expect(b.body.digest).toEqual(a.body.digest);
        expect(b.body.work).toEqual(a.body.work);
        expect(isSameUnread(a.form, a.body.parts, keyedHash)).toBe(true);
        // The short cut may miss a replay that is spelt differently, but must never report a different request as a
        // replay.
        if (isSameUnread(b.form, a.body.parts, keyedHash)) expect(b.body.digest).toEqual(a.body.digest);
      }),
      { numRuns: 500 },
    );
  });

  it('two meanings in any spelling: different digests', async () => {
    await fc.assert(
      fc.asyncProperty(meaning, meaning, spelling, async (meant, other, how) => {
        const same = JSON.stringify(meant) === JSON.stringify(other);
        const [a, b] = await Promise.all([bodyOf(meant, how), bodyOf(other, how)]);
        expect(b.body.digest.equals(a.body.digest)).toBe(same);
        expect(isSameUnread(b.form, a.body.parts, keyedHash)).toBe(same);
      }),
      { numRuns: 500 },
    );
  });

  it('[BF49] requests that differ only in delivery: equal work digests', async () => {
    await fc.assert(
      fc.asyncProperty(meaning, spelling, async (meant, how) => {
        const [a, b] = await Promise.all([
          bodyOf({ ...meant, delivery: { mode: 'response' } }, how),
          bodyOf(
            {
              ...meant,
              delivery: { mode: 'webhook', url: 'https://c.example/', secret: 'u', target: {} as never },
            },
            how,
          ),
        ]);
        expect(b.body.work).toEqual(a.body.work);
        expect(b.body.digest.equals(a.body.digest)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});
