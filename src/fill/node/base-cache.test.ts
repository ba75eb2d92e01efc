import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BaseFacts } from '../prepare/prepared-base.ts';
import { BaseCache } from './base-cache.ts';

test('[BLB30] prepared bases beyond their limit: those unused for longest are removed', async () => {
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

test('[FILL55] a base that is kept by several at once is whole, and leaves nothing else behind', async () => {
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
