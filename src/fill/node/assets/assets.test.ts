import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_ASSET_LIMITS } from '#fill/draw/images/asset-limits.ts';
import { AssetsUnavailable } from '#fill/draw/images/job-assets.ts';
import { quartersJpeg } from '../../../../test/support/small-jpeg.ts';
import { smallPng } from '../../../../test/support/small-png.ts';
import { checkZip } from './check-zip.ts';
import { folderAssets } from './folder-assets.ts';
import { inspectAssets } from './inspect-assets.ts';
import { openAssets } from './open-assets.ts';

const png = smallPng([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, 7]);
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

describe('pictures of a job', () => {
  let folder: string;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rp-assets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function saved(bytes: Uint8Array): Promise<string> {
    files += 1;
    const file = path.join(folder, `${files}.zip`);
    await writeFile(file, bytes);
    return file;
  }

  const checked = async (bytes: Uint8Array, limits = DEFAULT_ASSET_LIMITS) =>
    checkZip(await saved(bytes), limits);

  it('[FILL145] a ZIP: every picture is found by its base name and returned unchanged', async () => {
    const file = await saved(
      zipSync({
        'a.png': png,
        photos: { 'b.jpg': [quartersJpeg, { level: 0 }], '.DS_Store': latin('x') },
        __MACOSX: { '._b.jpg': latin('x') },
        'Thumbs.db': latin('x'),
      }),
    );
    const checkedZip = await inspectAssets(file, DEFAULT_ASSET_LIMITS);
    if (!checkedZip.ok) throw new Error(checkedZip.reason);
    const assets = openAssets({ kind: 'zip', path: file, entries: checkedZip.entries });
    expect(checkedZip.entries.map(({ name }) => name).sort()).toEqual(['a.png', 'b.jpg']);
    expect(Buffer.from(assets.read('a.png') ?? []).equals(png)).toBe(true);
    expect(Buffer.from(assets.read('b.jpg') ?? []).equals(quartersJpeg)).toBe(true);
    expect(assets.has('._b.jpg')).toBe(false);
    expect(assets.read('c.png')).toBeUndefined();
  });

  it('[FILL145] a ZIP without entries: contains no pictures', async () => {
    expect(await checked(zipSync({}))).toEqual([]);
  });

  const tenBytes = { ...DEFAULT_ASSET_LIMITS, maxEntryBytes: 10 };
  const encrypted = zipSync({ 'secret.png': png });
  encrypted[6] = 1;
  encrypted[Buffer.from(encrypted).indexOf('PK\x01\x02', 0, 'latin1') + 8] = 1;
  const otherMethod = zipSync({ 'new.png': png }, { level: 0 });
  otherMethod[8] = 14;
  otherMethod[Buffer.from(otherMethod).indexOf('PK\x01\x02', 0, 'latin1') + 10] = 14;

  it.each([
    [
      'not a ZIP',
      latin('not a zip at all'),
      DEFAULT_ASSET_LIMITS,
      'it is not a ZIP file, or it is cut short',
    ],
    ['empty', new Uint8Array(), DEFAULT_ASSET_LIMITS, 'it is not a ZIP file, or it is cut short'],
    [
      'a file that is not a picture',
      zipSync({ 'a.png': png, 'notes.txt': latin('x') }),
      DEFAULT_ASSET_LIMITS,
      '"notes.txt" is neither a PNG nor a JPEG',
    ],
    [
      'a duplicate base name',
      zipSync({ x: { 'a.png': png }, y: { 'a.png': png } }),
      DEFAULT_ASSET_LIMITS,
      '"x/a.png" and "y/a.png" have the same base name',
    ],
    [
      'a duplicate base name in two normal forms',
      zipSync({ '\u00e9.png': png, 'e\u0301.png': png }),
      DEFAULT_ASSET_LIMITS,
      '"\u00e9.png" and "e\u0301.png" have the same base name',
    ],
    ['an encrypted entry', encrypted, DEFAULT_ASSET_LIMITS, '"secret.png" is encrypted'],
    [
      'another compression',
      otherMethod,
      DEFAULT_ASSET_LIMITS,
      '"new.png" is compressed by method 14; use deflate',
    ],
    ['a picture that is too large', zipSync({ 'a.png': png }), tenBytes, '"a.png" is larger than 10 bytes'],
    [
      'too many entries',
      zipSync({ 'a.png': png, 'b.png': png }),
      { ...DEFAULT_ASSET_LIMITS, maxEntries: 1 },
      'it has 2 entries; at most 1 are allowed',
    ],
    [
      'pictures that are too large together',
      zipSync({ 'a.png': png, 'b.png': png }),
      { ...DEFAULT_ASSET_LIMITS, maxBytes: png.length + 1 },
      `its pictures are larger than ${png.length + 1} bytes together`,
    ],
  ])('[FILL145] %s: rejected with the reason', async (_, bytes, limits, reason) => {
    expect(await inspectAssets(await saved(bytes), limits)).toEqual({ ok: false, reason });
  });

  it('[FILL145] a ZIP bomb that declares less than it contains: rejected', async () => {
    const bomb = zipSync({ 'a.png': new Uint8Array(5_000_000) });
    const view = new DataView(bomb.buffer);
    const directory = Buffer.from(bomb).indexOf('PK\x01\x02', 0, 'latin1');
    view.setUint32(22, 100, true);
    view.setUint32(directory + 24, 100, true);
    await expect(checked(bomb)).rejects.toThrow('"a.png" is damaged');
  });

  it('[FILL145] a ZIP truncated at any byte: rejected', async () => {
    const whole = zipSync({ 'a.png': png, 'b.jpg': quartersJpeg });
    for (let length = 0; length < whole.length; length += 1)
      await expect(checked(whole.subarray(0, length)), String(length)).rejects.toThrow();
  });

  it('[FILL145] a ZIP with a changed byte: rejected, or every picture is intact', async () => {
    const whole = zipSync({ 'a.png': png, 'b.jpg': quartersJpeg });
    for (let at = 0; at < whole.length; at += 1) {
      const file = await saved(whole.map((byte, index) => (index === at ? byte ^ 0x04 : byte)));
      const entries = await checkZip(file, DEFAULT_ASSET_LIMITS).catch(() => null);
      if (entries === null) continue;
      const assets = openAssets({ kind: 'zip', path: file, entries });
      expect(Buffer.from(assets.read('a.png') ?? []).equals(png), String(at)).toBe(true);
      expect(Buffer.from(assets.read('b.jpg') ?? []).equals(quartersJpeg), String(at)).toBe(true);
    }
  });

  it('[FILL145] a folder: read by the rules of a ZIP', async () => {
    const pictures = path.join(folder, 'pictures');
    await mkdir(path.join(pictures, 'inner'), { recursive: true });
    await writeFile(path.join(pictures, 'a.png'), png);
    await writeFile(path.join(pictures, 'inner', 'b.jpg'), quartersJpeg);
    await writeFile(path.join(pictures, 'inner', '.DS_Store'), 'x');
    const assets = openAssets({ kind: 'folder', files: await folderAssets(pictures, DEFAULT_ASSET_LIMITS) });
    expect(Buffer.from(assets.read('b.jpg') ?? []).equals(quartersJpeg)).toBe(true);
    await expect(folderAssets(pictures, tenBytes)).rejects.toThrow('"a.png" is larger than 10 bytes');
    await writeFile(path.join(pictures, 'inner', 'a.png'), png);
    await expect(folderAssets(pictures, DEFAULT_ASSET_LIMITS)).rejects.toThrow('have the same base name');
    await writeFile(path.join(pictures, 'inner', 'a.png'), 'text');
    await rm(path.join(pictures, 'a.png'));
    await expect(folderAssets(pictures, DEFAULT_ASSET_LIMITS)).rejects.toThrow('neither a PNG nor a JPEG');
  });

  it('[FILL144] a ZIP that is deleted or changed after the check: unavailable', async () => {
    const file = await saved(zipSync({ 'a.png': png }));
    const entries = await checkZip(file, DEFAULT_ASSET_LIMITS);
    const assets = openAssets({ kind: 'zip', path: file, entries });
    await writeFile(file, new Uint8Array(1000));
    expect(() => assets.read('a.png')).toThrow(AssetsUnavailable);
    await rm(file);
    expect(() => assets.read('a.png')).toThrow(AssetsUnavailable);
  });
});
