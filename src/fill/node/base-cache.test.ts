import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BaseFacts } from '../prepare/prepared-base.ts';
import { BaseCache } from './base-cache.ts';

test('[BLB30] prepared bases beyond the limit: the least recently used are removed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const cache = new BaseCache(directory, 350_000);
  const stored = {
    base: { bytes: new Uint8Array(80_000), facts: {} as BaseFacts },
    deflated: new Uint8Array(20_000),
  };
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    await cache.put(key, stored);
    const used = new Date(1_000_000 + index * 1000);
    utimesSync(join(directory, `${key}.base`), used, used);
  }
  // Found: used just now.
  expect(await cache.find('a')).toBeDefined();
  await cache.put('d', stored);
  expect(readdirSync(directory).sort()).toEqual(['a.base', 'c.base', 'd.base']);
});

test('[BLB41] a base that cannot be written: not cached, and no error', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'prepared'), 'not a folder');
  const cache = new BaseCache(join(directory, 'prepared'));
  const stored = { base: { bytes: new Uint8Array(8), facts: {} as BaseFacts }, deflated: new Uint8Array(2) };
  await cache.put('key', stored);
  expect(await cache.find('key')).toBeUndefined();
});

test('[FILL55] a base stored by several writers at once: complete, without leftover files', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const cache = new BaseCache(directory);
  const bytes = new Uint8Array(300_000).fill(1);
  const stored = { base: { bytes, facts: {} as BaseFacts }, deflated: new Uint8Array(100_000).fill(2) };
  await Promise.all(Array.from({ length: 8 }, () => cache.put('key', stored)));
  expect(readdirSync(directory)).toEqual(['key.base']);
  const found = await cache.find('key');
  expect([found?.base.bytes.length, found?.deflated.length]).toEqual([300_000, 100_000]);
});

test('[SEC22] prepared bases with a secret: encrypted; a damaged or foreign file counts as absent', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const secret = Buffer.alloc(32, 1);
  const cache = new BaseCache(directory, undefined, secret);
  const bytes = Buffer.alloc(300_000, '%PDF-1.7 a letter ');
  const stored = { base: { bytes, facts: {} as BaseFacts }, deflated: new Uint8Array(100_000).fill(2) };
  await cache.put('key', stored);
  const file = join(directory, 'key.sealed');
  const whole = readFileSync(file);
  expect(whole.includes('%PDF-')).toBe(false);
  expect(Buffer.from((await cache.find('key'))?.base.bytes ?? []).equals(bytes)).toBe(true);
  expect(await new BaseCache(directory, undefined, Buffer.alloc(32, 2)).find('key')).toBeUndefined();
  expect(await new BaseCache(directory).find('key')).toBeUndefined();
  for (const at of [0, 40, 200_000, whole.length - 1]) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    writeFileSync(file, changed);
    expect(await cache.find('key')).toBeUndefined();
  }
  writeFileSync(file, whole.subarray(0, 10));
  expect(await cache.find('key')).toBeUndefined();
});

test('[SEC22] an encrypted base under the name of another: as good as absent', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const cache = new BaseCache(directory, undefined, Buffer.alloc(32, 1));
  const stored = {
    base: { bytes: Buffer.from('%PDF'), facts: {} as BaseFacts },
    deflated: new Uint8Array(4),
  };
  await cache.put('one', stored);
  copyFileSync(join(directory, 'one.sealed'), join(directory, 'two.sealed'));
  expect(await cache.find('one')).toBeDefined();
  expect(await cache.find('two')).toBeUndefined();
});
