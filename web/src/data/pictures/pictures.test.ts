import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ASSET_LIMITS } from '#fill/draw/images/asset-limits.ts';
import { picturesZip } from './pictures-zip.ts';
import { readPictures } from './read-pictures.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...new Array(200).fill(7)]);
const picked = (path: string, bytes: Uint8Array | string) => ({
  path,
  file: new File([bytes as Uint8Array<ArrayBuffer>], path.slice(path.lastIndexOf('/') + 1)),
});
const zipped = (files: Parameters<typeof zipSync>[0]) => [picked('photos.zip', zipSync(files))];
const limits = DEFAULT_ASSET_LIMITS;
const bytesOf = async (blob: Blob | undefined) => new Uint8Array((await blob?.arrayBuffer()) ?? []);

describe('pictures of a folder or a ZIP', () => {
  it('[EDT50] a folder: every picture by its base name, with its kind; files of the system are ignored', async () => {
    const set = await readPictures(
      [picked('photos/a.png', png), picked('photos/b/c.jpg', jpeg), picked('photos/.DS_Store', 'x')],
      limits,
    );
    expect([set.name, set.bytes, set.zip]).toEqual(['photos', png.length + jpeg.length, null]);
    expect([...set.files].map(([name, { type }]) => [name, type])).toEqual([
      ['a.png', 'image/png'],
      ['c.jpg', 'image/jpeg'],
    ]);
    const sent = await picturesZip(set);
    expect(unzipSync(await bytesOf(sent.file))).toEqual({ 'a.png': png, 'c.jpg': jpeg });
    expect((await picturesZip(set)).sha256).toBe(sent.sha256);
  });

  it('[EDT50] a ZIP, stored and deflated: is unpacked, and sent as it is', async () => {
    const [zip] = zipped({ 'a.png': [png, { level: 0 }], in: { 'b.jpg': jpeg }, __MACOSX: { '._a': png } });
    if (zip === undefined) throw new Error('one file');
    const set = await readPictures([zip], limits);
    expect([...set.files.keys()]).toEqual(['a.png', 'b.jpg']);
    expect(await bytesOf(set.files.get('a.png'))).toEqual(png);
    expect(await bytesOf(set.files.get('b.jpg'))).toEqual(jpeg);
    expect((await picturesZip(set)).file).toBe(zip.file);
  });

  it.each([
    ['not a ZIP', [picked('photos.zip', 'text')], limits, 'it is not a ZIP file, or it is cut short'],
    [
      'cut short',
      [picked('p.zip', zipSync({ 'a.png': png }).subarray(0, 60))],
      limits,
      'it is not a ZIP file, or it is cut short',
    ],
    ['another file', zipped({ 'a.txt': png.subarray(3) }), limits, '"a.txt" is neither a PNG nor a JPEG'],
    [
      'one base name twice',
      [picked('x/a.png', png), picked('x/y/a.png', png)],
      limits,
      '"x/a.png" and "x/y/a.png" have the same base name',
    ],
    [
      'too many',
      zipped({ 'a.png': png, 'b.png': png }),
      { ...limits, maxEntries: 1 },
      'it has 2 entries; at most 1 are allowed',
    ],
    [
      'one too large',
      [picked('a.png', png)],
      { ...limits, maxEntryBytes: 5 },
      '"a.png" is larger than 5 bytes',
    ],
    [
      'too large together',
      [picked('a.png', png), picked('b.png', png)],
      { ...limits, maxBytes: 15 },
      'its pictures are larger than 15 bytes together',
    ],
  ])('[EDT50] %s: rejected with the message of the server', async (_, files, allowed, message) => {
    await expect(readPictures(files, allowed)).rejects.toThrow(message);
  });

  it('[EDT50] an entry that unpacks to more than it declares: rejected', async () => {
    const bomb = zipSync({ 'a.png': new Uint8Array(100_000) });
    const view = new DataView(bomb.buffer, bomb.byteOffset);
    view.setUint32(Buffer.from(bomb).indexOf('PK\x01\x02', 0, 'latin1') + 24, 50, true);
    await expect(readPictures([picked('p.zip', bomb)], limits)).rejects.toThrow('"a.png" is damaged');
  });
});
