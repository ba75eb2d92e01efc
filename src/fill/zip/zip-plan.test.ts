import { crc32, inflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { nativeCodec } from '../node/native-codec.ts';
import { portableCodec } from '../portable-codec.ts';
import { entryChunks } from './entry-chunks.ts';
import { sharedPrefix } from './shared-prefix.ts';
import { ZipPlan, type ZipRow, type ZipSegment } from './zip-plan.ts';

const text = (value: string) => new TextEncoder().encode(value);

function archive(tailTexts: readonly string[], codec = nativeCodec, mergedText?: string) {
  const base = text('the base that all rows share '.repeat(50));
  const prefix = sharedPrefix(base, codec);
  const tails = tailTexts.map(text);
  const rows: ZipRow[] = tails.map((tail, index) => ({
    name: `row_${index + 1}_é.pdf`,
    tailLength: tail.length,
    crc32: codec.crc32(tail, prefix.crc32),
  }));
  const manifestText = text('{"version":2}');
  const manifest = {
    deflated: codec.deflate(manifestText),
    plainLength: manifestText.length,
    crc32: codec.crc32(manifestText),
  };
  const lengths = { deflatedLength: prefix.deflated.length, plainLength: base.length };
  const all = text(mergedText ?? '');
  const merged = { length: all.length, crc32: codec.crc32(all, prefix.crc32) };
  const plan = new ZipPlan(lengths, rows, manifest, mergedText === undefined ? undefined : merged);
  const stored = { prefix: prefix.deflated, tails: Buffer.concat(tails), merged: all };
  const bytes = (segments: Iterable<ZipSegment>) =>
    Buffer.concat(
      [...segments].map((segment) =>
        segment.from === 'here' ? segment.bytes : stored[segment.from].subarray(segment.start, segment.end),
      ),
    );
  return { plan, rows, base, prefix, lengths, tails, bytes };
}

describe('the virtual ZIP', () => {
  it('[FILL46] unpacked: base + tail for each row, and the manifest last', () => {
    for (const codec of [nativeCodec, portableCodec]) {
      const { plan, base, tails, bytes } = archive(['one', '', 'three'.repeat(30_000)], codec);
      const whole = bytes(plan.segments());
      expect(whole.length).toBe(plan.size);
      const files = unzipSync(whole);
      expect(Object.keys(files)).toEqual(['row_1_é.pdf', 'row_2_é.pdf', 'row_3_é.pdf', 'manifest.json']);
      tails.forEach((tail, index) => {
        const file = files[`row_${index + 1}_é.pdf`] ?? new Uint8Array();
        expect(Buffer.from(file).equals(Buffer.concat([base, tail]))).toBe(true);
      });
    }
  });

  it('[FILL46] written sequentially: the same bytes', () => {
    const { plan, rows, tails, prefix, lengths, bytes } = archive(['one', '', 'three'.repeat(30_000), 'é']);
    const chunks = entryChunks(rows, Buffer.concat(tails), prefix.deflated, lengths);
    expect(Buffer.concat(chunks).equals(bytes(plan.segments(0, plan.manifestAt)))).toBe(true);
    expect(chunks.filter((chunk) => chunk === prefix.deflated)).toHaveLength(rows.length);
    expect(entryChunks([], new Uint8Array(), prefix.deflated, lengths)).toEqual([]);
  });

  it('[FILL46] any range: the same bytes', () => {
    const { plan, bytes } = archive(['a'.repeat(100), 'b'.repeat(70_000), 'c']);
    const whole = bytes(plan.segments());
    const step = 97;
    for (let start = 0; start < plan.size; start += step * 41) {
      for (const length of [1, step, step * 7, plan.size]) {
        const part = bytes(plan.segments(start, start + length));
        expect(part.equals(whole.subarray(start, start + length)), `${start}+${length}`).toBe(true);
      }
    }
    expect(bytes(plan.segments(plan.size)).length).toBe(0);
  });

  it('[FILL46] a PDF of all rows: after the rows, whole and by any range', () => {
    const mergedText = 'all rows '.repeat(20_000);
    const { plan, base, bytes } = archive(['a', 'b'], nativeCodec, mergedText);
    const whole = bytes(plan.segments());
    expect(whole.length).toBe(plan.size);
    const files = unzipSync(whole);
    expect(Object.keys(files)).toEqual(['row_1_é.pdf', 'row_2_é.pdf', 'merged.pdf', 'manifest.json']);
    const merged = Buffer.concat([base, text(mergedText)]);
    expect(Buffer.from(files['merged.pdf'] ?? []).equals(merged)).toBe(true);
    const at = whole.indexOf('merged.pdf') + 'merged.pdf'.length;
    expect(inflateRawSync(whole.subarray(at)).equals(merged)).toBe(true);
    for (let start = 0; start < plan.size; start += 7919) {
      const part = bytes(plan.segments(start, start + 9000));
      expect(part.equals(whole.subarray(start, start + 9000)), `${start}`).toBe(true);
    }
  });

  it('[FILL46] one row: found among the tails', () => {
    const { plan } = archive(['abc', 'de', 'fghi']);
    expect([0, 1, 2].map((row) => plan.tailRange(row))).toEqual([
      { start: 0, end: 3 },
      { start: 3, end: 5 },
      { start: 5, end: 9 },
    ]);
  });

  it('[FILL47] more than 4 GiB or 65,535 entries: uses Zip64 records', () => {
    const rows: ZipRow[] = Array.from({ length: 70_000 }, (_, index) => ({
      name: `row_${index + 1}.pdf`,
      tailLength: 1000,
      crc32: index,
    }));
    const manifest = { deflated: new Uint8Array([3, 0]), plainLength: 0, crc32: 0 };
    const plan = new ZipPlan({ deflatedLength: 500_000, plainLength: 600_000 }, rows, manifest);
    expect(plan.size).toBeGreaterThan(35e9);
    const ending = Buffer.concat(
      [...plan.segments(plan.manifestAt)].map((part) =>
        part.from === 'here' ? part.bytes : Buffer.alloc(0),
      ),
    );
    expect(plan.manifestAt + ending.length).toBe(plan.size);
    const end64 = ending.subarray(-98);
    expect(end64.readUInt32LE(0)).toBe(0x06064b50);
    expect(end64.readBigUInt64LE(32)).toBe(70_001n);
    const directoryAt = Number(end64.readBigUInt64LE(48));
    const directory = ending.subarray(directoryAt - plan.manifestAt);
    expect(directory.readUInt32LE(0)).toBe(0x02014b50);
    // The last row's record has its offset in the Zip64 extra field.
    const name = Buffer.from('row_70000.pdf');
    const record = directory.lastIndexOf(name) - 46;
    expect(directory.readUInt32LE(record + 42)).toBe(0xffffffff);
    const offset = Number(directory.readBigUInt64LE(record + 46 + name.length + 4));
    const [header] = plan.segments(offset, offset + 4);
    expect(header?.from === 'here' && Buffer.from(header.bytes).readUInt32LE(0)).toBe(0x04034b50);
    expect(ending.readUInt32LE(ending.length - 22)).toBe(0x06054b50);
  });
});

describe('the shared prefix', () => {
  it('[FILL46] a tail: continues checksum, hash and deflate stream of the prefix', () => {
    for (const codec of [nativeCodec, portableCodec]) {
      const base = text('shared '.repeat(1000));
      const tail = text('tail');
      const prefix = sharedPrefix(base, codec);
      const whole = Buffer.concat([base, tail]);
      expect(codec.crc32(tail, prefix.crc32)).toBe(crc32(whole));
      const running = prefix.sha256.copy();
      running.update(tail);
      const again = prefix.sha256.copy();
      again.update(tail);
      const digest = running.digestHex();
      expect(again.digestHex()).toBe(digest);
      expect(digest).toBe(nativeCodec.sha256Hex(whole));
      const ended = Buffer.concat([prefix.deflated, Buffer.from([1, 0, 0, 0xff, 0xff])]);
      expect(inflateRawSync(ended).equals(Buffer.from(base))).toBe(true);
    }
  });
});
