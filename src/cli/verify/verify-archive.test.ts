import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { type Zippable, zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { publicKeyOf } from '#fill/package/signed-statement.ts';
import { manifestSignature } from '#fill/results/manifest-signature.ts';
import { ManifestReader } from './manifest-reader.ts';
import { verifyArchive } from './verify-archive.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const row = (n: number, content: string | null = `pdf ${n}`) => ({
  row_number: n,
  status: content === null ? 'failed' : 'success',
  file_name: content === null ? null : `row_${n}.pdf`,
  sha256: content === null ? null : sha256(content),
});
const manifestOf = (rows: readonly object[], members: object = {}) => ({
  version: 2,
  rows: rows.length,
  options: { filename_columns: ['"row_results": ['] },
  ...members,
  row_results: rows,
});

async function verdictOf(files: Zippable, change: (zip: Uint8Array) => Uint8Array = (zip) => zip) {
  const folder = await mkdtemp(join(tmpdir(), 'rp-verify-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'out.zip');
  await writeFile(path, change(zipSync(files, { mtime: '1980-01-01' })));
  return verifyArchive(path);
}

const json = (value: object) => bytes(JSON.stringify(value));

test('[OPS60] files in another order than the manifest, stored and deflated: all are verified', async () => {
  const verdict = await verdictOf({
    'manifest.json': json(manifestOf([row(1), row(2), row(3, null), row(4)])),
    'row_4.pdf': [bytes('pdf 4'), { level: 0 }],
    'row_1.pdf': bytes('pdf 1'),
    'row_2.pdf': bytes('pdf 2'),
  });
  expect(verdict).toMatchObject({ rows: 4, verified: 3, withoutPdf: 1, problemCount: 0 });
});

test('[OPS60] a file too large to unpack at once: is verified as a stream', async () => {
  const large = 'x'.repeat(5_000_000);
  const verdict = await verdictOf({
    'row_1.pdf': bytes(large),
    'manifest.json': json(manifestOf([row(1, large)])),
  });
  expect(verdict).toMatchObject({ verified: 1, problemCount: 0 });
});

test('[OPS61] changed, damaged, missing and surplus files: each is reported with its row', async () => {
  const marked = 'damaged below';
  const verdict = await verdictOf(
    {
      'row_1.pdf': bytes('another pdf'),
      'row_2.pdf': [bytes(marked), { level: 0 }],
      'row_4.pdf': bytes('pdf 4'),
      'extra.pdf': bytes('extra'),
      'manifest.json': json(manifestOf([row(1), row(2, marked), row(3), row(4)])),
    },
    (zip) => {
      zip[Buffer.from(zip).indexOf(marked)] = 0x5f;
      return zip;
    },
  );
  expect(verdict).toMatchObject({ rows: 4, verified: 1, problemCount: 4 });
  expect(verdict.problems).toEqual(
    expect.arrayContaining([
      { kind: 'changed', file_name: 'row_1.pdf', row_number: 1 },
      { kind: 'damaged', file_name: 'row_2.pdf', row_number: 2 },
      { kind: 'missing', file_name: 'row_3.pdf', row_number: 3 },
      { kind: 'surplus', file_name: 'extra.pdf', row_number: null },
    ]),
  );
});

/** An extra field with a second name, as Info-ZIP writes it for the name in the header. */
const secondName = (name: string, second: string) => {
  const field = Buffer.alloc(5 + second.length, 1);
  field.writeUInt32LE(crc32(name), 1);
  field.write(second, 5);
  return { extra: { 28789: field } };
};
const damagedRows = [1, 2].map((n) => ({ kind: 'damaged', file_name: `row_${n}.pdf`, row_number: n }));

test('[OPS61] two files under the name of the other, with their own names in extra fields: both are damaged', async () => {
  const verdict = await verdictOf({
    'row_2.pdf': [bytes('pdf 1'), secondName('row_2.pdf', 'row_1.pdf')],
    'row_1.pdf': [bytes('pdf 2'), secondName('row_1.pdf', 'row_2.pdf')],
    'manifest.json': json(manifestOf([row(1), row(2)])),
  });
  expect(verdict).toMatchObject({ verified: 0, problemCount: 2 });
  expect(verdict.problems).toEqual(expect.arrayContaining(damagedRows));
});

test('[OPS61] two files whose headers have the name of the other: both are damaged', async () => {
  const files = {
    'row_1.pdf': bytes('pdf 1'),
    'row_2.pdf': bytes('pdf 2'),
    'manifest.json': json(manifestOf([row(1), row(2)])),
  };
  const verdict = await verdictOf(files, (zip) => {
    const bytesOfZip = Buffer.from(zip);
    const [first, second] = [bytesOfZip.indexOf('row_1.pdf'), bytesOfZip.indexOf('row_2.pdf')];
    bytesOfZip.write('row_2.pdf', first);
    bytesOfZip.write('row_1.pdf', second);
    return bytesOfZip;
  });
  expect(verdict).toMatchObject({ verified: 0, problemCount: 2 });
  expect(verdict.problems).toEqual(expect.arrayContaining(damagedRows));
});

test('[OPS61] a name with umlauts: is verified in UTF-8 with its flag, is damaged without the flag', async () => {
  const name = 'Grün.pdf';
  const files = {
    [name]: bytes('pdf 1'),
    'manifest.json': json(manifestOf([{ ...row(1), file_name: name }])),
  };
  expect(await verdictOf(files)).toMatchObject({ verified: 1, problemCount: 0 });
  const legacy = await verdictOf(
    { ...files, 'manifest.json': json(manifestOf([{ ...row(1), file_name: 'Gr├╝n.pdf' }])) },
    (zip) => {
      // The bytes of the name are UTF-8. Without the flag they mean "Gr├╝n.pdf" to some readers.
      const directory = Buffer.from(zip).indexOf('PK\u0001\u0002');
      zip[7] = 0;
      zip[directory + 9] = 0;
      return zip;
    },
  );
  expect(legacy).toMatchObject({ verified: 0, problems: [{ kind: 'damaged', row_number: 1 }] });
});

test('[OPS61] [SEC26] a manifest with a second name: ARCHIVE_DAMAGED; a signature with one: the problem signature', async () => {
  const second = secondName('manifest.json', 'other.json');
  const failed = await verdictOf({ 'manifest.json': [json(manifestOf([])), second] }).catch((error) => error);
  expect(failed).toMatchObject({ code: 'ARCHIVE_DAMAGED', message: expect.stringMatching(/is damaged/) });
  const text = JSON.stringify(manifestOf([], { options: { sign_manifest: true } }));
  const signature = bytes(manifestSignature(sha256(text), new Uint8Array(32).fill(7)));
  expect(
    await verdictOf({
      'manifest.json': bytes(text),
      'manifest.sig': [signature, secondName('manifest.sig', 'other.sig')],
    }),
  ).toMatchObject({ signer: null, problems: [{ kind: 'signature', file_name: 'manifest.sig' }] });
});

test('[OPS61] a manifest that names one file twice: the second row misses its file', async () => {
  const verdict = await verdictOf({
    'row_1.pdf': bytes('pdf 1'),
    'manifest.json': json(manifestOf([row(1), { ...row(2), ...row(1), row_number: 2 }])),
  });
  expect(verdict.problems).toEqual([{ kind: 'missing', file_name: 'row_1.pdf', row_number: 2 }]);
});

test('[OPS61] more than 1,000 problems: all are counted, the first are listed', async () => {
  const rows = Array.from({ length: 1500 }, (_, index) => row(index + 1));
  const verdict = await verdictOf({ 'manifest.json': json(manifestOf(rows)) });
  expect([verdict.problemCount, verdict.problems.length]).toEqual([1500, 1000]);
});

test('[OPS62] a dry run: has no PDFs and is intact', async () => {
  const manifest = manifestOf([row(1), row(2)], { options: { dry_run: true } });
  expect(await verdictOf({ 'manifest.json': json(manifest) })).toMatchObject({
    rows: 2,
    verified: 0,
    dryRun: true,
    problemCount: 0,
  });
});

test('[SEC26] a signed manifest: its signer; a signature of something else, or none where one belongs: a problem', async () => {
  const key = new Uint8Array(32).fill(7);
  const text = JSON.stringify(manifestOf([row(1)], { options: { sign_manifest: true } }));
  const signature = bytes(manifestSignature(sha256(text), key));
  const signed = (manifest: string, ...signatures: Uint8Array[]) =>
    verdictOf({
      'row_1.pdf': bytes('pdf 1'),
      'manifest.json': bytes(manifest),
      ...Object.fromEntries(signatures.map((content) => ['manifest.sig', content])),
    });
  expect(await signed(text, signature)).toMatchObject({ signer: publicKeyOf(key), problemCount: 0 });
  const broken = [{ kind: 'signature', file_name: 'manifest.sig', row_number: null }];
  for (const [manifest, content] of [
    [` ${text}`, signature],
    [text, bytes('{}')],
    [text, new Uint8Array(5000)],
  ] as const)
    expect(await signed(manifest, content)).toMatchObject({ signer: null, verified: 1, problems: broken });
  expect(await signed(text)).toMatchObject({
    signer: null,
    problems: [{ kind: 'missing', file_name: 'manifest.sig', row_number: null }],
  });
});

test.each([
  ['no manifest', {}, /has no manifest\.json/],
  [
    'a manifest that is not JSON',
    { 'manifest.json': bytes('{"version":2,]') },
    /not a manifest of version 2/,
  ],
  ['a manifest that ends early', { 'manifest.json': bytes('{"row_results":[{"row') }, /ends too early/],
  [
    'a manifest without some of its rows',
    { 'manifest.json': json(manifestOf([row(1)], { rows: 2 })) },
    /1 row results for 2 rows/,
  ],
  [
    'a row without its digest',
    { 'manifest.json': json(manifestOf([{ row_number: 1 }])) },
    /not a manifest of version 2/,
  ],
])('[OPS61] %s: ARCHIVE_DAMAGED with the reason', async (_, files, message) => {
  const failed = await verdictOf(files as Zippable).catch((error) => error);
  expect(failed).toMatchObject({ code: 'ARCHIVE_DAMAGED', message: expect.stringMatching(message) });
});

test('[OPS61] a cut archive and a file that is not a ZIP: ARCHIVE_DAMAGED', async () => {
  const files = { 'row_1.pdf': bytes('pdf 1'), 'manifest.json': json(manifestOf([row(1)])) };
  for (const change of [(zip: Uint8Array) => zip.subarray(0, zip.length - 30), () => bytes('PK, or not')])
    expect(await verdictOf(files, change).catch((error) => error)).toMatchObject({ code: 'ARCHIVE_DAMAGED' });
});

test('[OPS60] a manifest in pieces of any size, with any white space and order of members: the same rows', () => {
  const member = fc.record({
    row_number: fc.nat(),
    file_name: fc.option(fc.string({ unit: 'binary' })),
    sha256: fc.option(fc.string()),
  });
  fc.assert(
    fc.property(fc.array(member), fc.integer({ min: 1, max: 40 }), fc.boolean(), (rows, size, last) => {
      const { row_results, ...others } = manifestOf(rows, { summary: { a: [[{ b: ']}' }]] } });
      const manifest = last ? { ...others, row_results } : { row_results, ...others };
      const text = Buffer.from(JSON.stringify(manifest, null, size % 3));
      const reader = new ManifestReader();
      const found = [];
      for (let at = 0; at < text.length; at += size) found.push(...reader.push(text.subarray(at, at + size)));
      expect(found).toEqual(rows);
      expect(reader.end()).toMatchObject({ rows: rows.length });
    }),
  );
});
