import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPdf } from '../../../test/support/form-source.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { planOf } from '../../../test/support/prepared.ts';
import { BaseCache } from './base-cache.ts';
import { type OpenedFill, openFill } from './open-fill.ts';
import { inspectInChild } from './prepare-in-child.ts';

const plan = planOf({
  overlays: [
    { id: 'a', type: 'text', page: 1, x: 72, y: 72, width: 300, height: 20, value: { column: 'column_0' } },
    { id: 'q', type: 'qr', page: 1, x: 400, y: 72, width: 90, height: 90, value: { column: 'column_1' } },
  ],
});

describe('opening a fill', () => {
  let folder: string;
  let fill: OpenedFill;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rowpress-bases-'));
    const opened = await openFill(pagesPdf([{}]), plan);
    if (!opened.ok) throw new Error(opened.message);
    fill = opened.fill;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('[FILL55] a cached base: equal to the prepared one', async () => {
    const cache = new BaseCache(folder);
    const first = await openFill(pagesPdf([{}]), plan, { cache });
    const second = await openFill(pagesPdf([{}]), plan, { cache });
    if (!first.ok || !second.ok) throw new Error('refused');
    expect([first.fill.fromCache, second.fill.fromCache]).toEqual([false, true]);
    expect(Buffer.from(second.fill.base.bytes).equals(fill.base.bytes)).toBe(true);
    expect(Buffer.from(second.fill.deflated).equals(fill.deflated)).toBe(true);
    expect(second.fill.base.facts).toEqual(fill.base.facts);
  });

  it('[FILL55] other owners, sources or options: have other bases', async () => {
    const cache = new BaseCache(path.join(folder, 'others'));
    await openFill(pagesPdf([{}]), plan, { cache });
    for (const [source, chosen, owner] of [
      [pagesPdf([{}]), plan, 'another'],
      [pagesPdf([{}, {}]), plan, ''],
      [pagesPdf([{}]), { ...plan, options: { ...plan.options, flattenForms: true } }, ''],
    ] as const) {
      const opened = await openFill(source, chosen, { cache, owner });
      expect(opened).toMatchObject({ ok: true, fill: { fromCache: false } });
    }
  });

  it('[FILL55] a damaged cache file: counts as absent; an unused one is deleted', async () => {
    const directory = path.join(folder, 'damaged');
    const cache = new BaseCache(directory);
    await openFill(pagesPdf([{}]), plan, { cache });
    const [name = ''] = await readdir(directory);
    const file = path.join(directory, name);
    const bytes = await readFile(file);
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
    await writeFile(file, bytes);
    expect(await openFill(pagesPdf([{}]), plan, { cache })).toMatchObject({ fill: { fromCache: false } });
    const later = new Date(Date.now() + 86_400_000);
    expect(await cache.sweep(later, 86_000_000)).toBe(1);
    expect(await readdir(directory)).toEqual([]);
  });

  it('[FILL45] a source that the child rejects: rejected', async () => {
    expect(await openFill(Buffer.from('%PDF-1.7 nothing'), plan)).toMatchObject({
      ok: false,
      code: 'PDF_INVALID',
    });
  });

  it('[FILL48] a source that is only inspected: not prepared', async () => {
    const inspected = await inspectInChild(formPdf());
    expect(inspected).toMatchObject({ ok: true, metadata: { page_count: 1, signed: true } });
  });
});
