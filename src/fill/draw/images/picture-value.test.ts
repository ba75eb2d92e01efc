import { describe, expect, it } from 'vitest';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { ObjectNumbers } from '#fill/write/tail-object.ts';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { quartersJpeg, turnedJpeg } from '../../../../test/support/small-jpeg.ts';
import { smallPng } from '../../../../test/support/small-png.ts';
import { jobAssetsOf } from './job-assets.ts';
import { PictureCache } from './picture-cache.ts';
import { pictureFinder } from './picture-value.ts';
import { readImage } from './read-image.ts';

const box = { id: 'p', page: 1, x: 10, y: 10, width: 40, height: 40 };
const image = { ...box, type: 'image' as const, value: { column: 'column_0' } };
const signature = { ...box, type: 'signature' as const, value: { column: 'column_0' } };
const grey = (level: number) => smallPng([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, level]);
const OF_JOB = grey(1);
const OF_PACKAGE = grey(2);
const assets = new Map([
  ['assets/both.png', OF_PACKAGE],
  ['assets/package.png', OF_PACKAGE],
]);
const job = jobAssetsOf(
  new Map([
    ['photos/both.png', OF_JOB],
    ['job.png', OF_JOB],
    ['Mu\u0308ller.jpg', quartersJpeg],
  ]),
);
const missing = { applied: 0, skipped: 1, warnings: [{ code: 'IMAGE_MISSING', overlay_id: 'p' }] };

describe('names of pictures', () => {
  it('[FILL140] a picture name: looked up in the job, then in the package', async () => {
    const bench = await drawingBench([image], { assets, job });
    const bodyOf = (value: string) => Buffer.from(bench.draw(value).objects[0]?.body ?? []);
    const written = (file: Uint8Array) =>
      readImage(file, nativeCodec).write(new ObjectNumbers(1)).objects[0]?.body ?? new Uint8Array();
    for (const value of ['both.png', 'job.png', 'photos/both.png', 'C:\\photos\\job.png', ' job.png '])
      expect(bodyOf(value).equals(written(OF_JOB)), value).toBe(true);
    for (const value of ['package.png', 'assets/both.png'])
      expect(bodyOf(value).equals(written(OF_PACKAGE)), value).toBe(true);
    expect(bodyOf('M\u00fcller.jpg').equals(written(quartersJpeg))).toBe(true);
  });

  it('[FILL140] a static name that the package lacks: looked up in the job', async () => {
    const fixed = { ...image, value: { static: 'job.png' } };
    expect((await drawingBench([fixed], { assets, job })).draw()).toMatchObject({ applied: 1 });
    expect((await drawingBench([fixed], { assets })).draw()).toMatchObject(missing);
  });

  it.each(['nothing.png', 'assets/nothing.png', 'BOTH.PNG', 'logo', 'https://example.org/a.png', '../both'])(
    '[FILL140] the unknown name %s: skips the overlay with IMAGE_MISSING and does not show the value',
    async (value) => {
      const drawing = (await drawingBench([image], { assets, job })).draw(value);
      expect(drawing).toMatchObject(missing);
      expect(JSON.stringify(drawing.warnings)).not.toContain(value);
    },
  );

  it('[FILL140] a blank cell: draws nothing', async () => {
    for (const overlay of [image, signature]) {
      const bench = await drawingBench([overlay], { assets, job });
      expect(bench.draw(' ')).toMatchObject({ applied: 1, skipped: 0, warnings: [], objects: [] });
    }
  });

  it('[FILL140] a signature: a picture if it names one, else a typed name', async () => {
    const bench = await drawingBench([signature], { assets, job });
    expect(bench.draw('job.png').slots[0]?.resources).toContain('/J0');
    expect(bench.draw('nobody.png')).toMatchObject(missing);
    expect(Buffer.from(bench.draw('Ada').slots[0]?.content ?? []).toString('latin1')).toContain('Tf');
  });

  it('[FILL142] a damaged picture of the job: skips the overlay with IMAGE_INVALID', async () => {
    const cut = jobAssetsOf(new Map([['cut.jpg', quartersJpeg.subarray(0, 120)]]));
    const drawing = (await drawingBench([image], { job: cut })).draw('cut.jpg');
    expect(drawing).toMatchObject({ skipped: 1, warnings: [{ code: 'IMAGE_INVALID' }] });
  });
});

describe('pictures in memory', () => {
  it('[FILL144] more pictures than the cache limit: the most recently used ones are kept', () => {
    const picture = (bytes: number) => ({ ...readImage(quartersJpeg, nativeCodec), heldBytes: bytes });
    const cache = new PictureCache(100);
    for (const name of ['a', 'b', 'c']) cache.keep(name, picture(30));
    expect(cache.find('a')).toBeDefined();
    cache.keep('d', picture(30));
    expect(cache.bytes).toBeLessThanOrEqual(100);
    expect(['a', 'b', 'c', 'd'].filter((name) => cache.find(name) !== undefined)).toEqual(['a', 'c', 'd']);
    cache.keep('large', picture(1000));
    expect(['a', 'c', 'd', 'large'].filter((name) => cache.find(name) !== undefined)).toEqual(['large']);
  });

  it('[FILL144] the same picture under two names in one row: written once', async () => {
    const second = { ...image, id: 'q', value: { column: 'column_1' } };
    const bench = await drawingBench([image, second], { assets, job });
    expect(bench.draw('both.png', 'job.png').objects).toHaveLength(1);
    expect(bench.draw('both.png', 'package.png').objects).toHaveLength(2);
  });

  it('[FILL144] a picture that is read again: written with the same bytes', () => {
    const read: string[] = [];
    const big = (index: number) =>
      turnedJpeg(Uint8Array.from([...quartersJpeg, ...new Uint8Array(4_000_000), index]), 6);
    const find = pictureFinder({
      assets: new Map(),
      codec: nativeCodec,
      job: {
        has: () => true,
        read: (name) => {
          read.push(name);
          return big(Number(name));
        },
      },
    });
    const free = () => undefined;
    const written = () => Buffer.from(bodyOf(find('1', free)));
    const first = written();
    expect(written().equals(first)).toBe(true);
    for (const name of ['2', '3', '4']) find(name, free);
    expect(written().equals(first)).toBe(true);
    expect(read).toEqual(['1', '2', '3', '4', '1']);
  });
});

function bodyOf(picture: ReturnType<ReturnType<typeof pictureFinder>>): Uint8Array {
  if ('code' in picture) throw new Error(picture.message);
  return picture.write(new ObjectNumbers(1)).objects[0]?.body ?? new Uint8Array();
}
