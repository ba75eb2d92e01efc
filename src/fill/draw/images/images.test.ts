import { describe, expect, it } from 'vitest';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { ObjectNumbers } from '#fill/write/tail-object.ts';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { pngChunk, smallPng } from '../../../../test/support/small-png.ts';
import { fitPicture } from './fit-picture.ts';
import { readPngChunks } from './png-chunks.ts';
import { decodeRows, inflateExactly, samplesOf } from './png-pixels.ts';
import { readImage } from './read-image.ts';

/** A PNG of unfiltered rows given as bytes. */
function png(
  width: number,
  height: number,
  [bitDepth, colorType]: [number, number],
  rows: readonly (readonly number[])[],
  extra: readonly number[] = [],
  interlace = 0,
): Uint8Array {
  const header = [0, 0, 0, width, 0, 0, 0, height, bitDepth, colorType, 0, 0, interlace];
  return smallPng(header, rows.flat(), extra);
}

function samples(bytes: Uint8Array) {
  const { header, palette, transparency, data } = readPngChunks(bytes, nativeCodec.crc32);
  return samplesOf(decodeRows(inflateExactly(data, header), header), header, palette, transparency);
}

const bodies = (bytes: Uint8Array) =>
  readImage(bytes, nativeCodec)
    .write(new ObjectNumbers(7))
    .objects.map(({ body }) => Buffer.from(body).toString('latin1'));

/** SOI, a frame header of the given components, a scan of one byte, and EOI. */
function jpeg(components: number, adobe = false, marker = 0xc0): Uint8Array {
  const app = adobe ? [0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0] : [];
  const frame = [0xff, marker, 0, 8 + 3 * components, 8, 0, 20, 0, 30, components];
  const parts = Array.from({ length: components }, (_, index) => [index + 1, 0x11, 0]).flat();
  return Uint8Array.from([0xff, 0xd8, ...app, ...frame, ...parts, 0xff, 0xda, 0, 2, 0x5a, 0xff, 0xd9]);
}

const GREY = png(2, 1, [8, 0], [[0, 10, 200]]);
const RGBA = png(2, 1, [8, 6], [[0, 1, 2, 3, 128, 4, 5, 6, 255]]);

describe('PNG', () => {
  it('[FILL71] opaque pixels: keep their compressed data', () => {
    const [body] = bodies(GREY);
    expect(body).toContain('/Width 2/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode');
    expect(body).toContain('/Predictor 15/Colors 1/BitsPerComponent 8/Columns 2');
    const [palette] = bodies(png(2, 1, [4, 3], [[0, 0x10]], pngChunk('PLTE', [1, 2, 3, 255, 0, 9])));
    expect(palette).toContain('/ColorSpace[/Indexed/DeviceRGB 1<010203ff0009>]/BitsPerComponent 4');
    expect(bodies(png(1, 1, [16, 2], [[0, 1, 2, 3, 4, 5, 6]]))[0]).toContain('/BitsPerComponent 16');
  });

  it('[FILL71] an alpha channel: becomes a soft mask', () => {
    expect(samples(RGBA)).toEqual({
      color: Uint8Array.of(1, 2, 3, 4, 5, 6),
      alpha: Uint8Array.of(128, 255),
      components: 3,
    });
    const [image, mask] = bodies(RGBA);
    expect(image).toContain('/SMask 8 0 R');
    expect(mask).toContain('/ColorSpace/DeviceGray');
    expect(samples(png(1, 1, [16, 4], [[0, 0x80, 1, 0xff, 2]]))).toMatchObject({
      color: Uint8Array.of(0x80),
      alpha: Uint8Array.of(0xff),
    });
  });

  it('[FILL71] a transparent colour or palette: becomes a soft mask', () => {
    const keyed = png(2, 1, [8, 2], [[0, 9, 9, 9, 1, 2, 3]], pngChunk('tRNS', [0, 9, 0, 9, 0, 9]));
    expect(samples(keyed).alpha).toEqual(Uint8Array.of(0, 255));
    const extra = [...pngChunk('PLTE', [1, 1, 1, 2, 2, 2, 3, 3, 3]), ...pngChunk('tRNS', [0, 77])];
    expect(samples(png(3, 1, [2, 3], [[0, 0b00011000]], extra))).toEqual({
      color: Uint8Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3),
      alpha: Uint8Array.of(0, 77, 255),
      components: 3,
    });
  });

  it('[FILL71] every row filter: reversed', () => {
    // Rows 10 20 30 / 11 22 33 / … written with the filters 0 to 4.
    const rows = [
      [0, 10, 20, 30],
      [1, 11, 11, 11],
      [2, 1, 1, 1],
      [3, 7, 7, 7],
      [4, 1, 2, 3],
    ];
    const image = png(3, 5, [8, 0], rows);
    const { header, data } = readPngChunks(image, nativeCodec.crc32);
    const pixels = decodeRows(inflateExactly(data, header), header);
    expect([...pixels]).toEqual([10, 20, 30, 11, 22, 33, 12, 23, 34, 13, 25, 36, 14, 27, 39]);
  });

  it('[FILL71] interlaced passes: merged', () => {
    // 3 × 2 pixels: passes 1 (0,0), 4 (2,0), 6 (1,0), 7 (row 1).
    const rows = [
      [0, 1],
      [0, 3],
      [0, 2],
      [0, 4, 5, 6],
    ];
    expect([...samples(png(3, 2, [8, 0], rows, [], 1)).color]).toEqual([1, 2, 3, 4, 5, 6]);
    const bits = [
      [0, 0x80],
      [0, 0x80],
      [0, 0x00],
      [0, 0b01000000],
    ];
    expect([...samples(png(3, 2, [1, 0], bits, [], 1)).color]).toEqual([255, 0, 255, 0, 255, 0]);
  });
});

describe('JPEG', () => {
  it('[FILL71] any JPEG: embedded unchanged, in its own colours', () => {
    expect(bodies(jpeg(3))[0]).toContain(
      '/Width 30/Height 20/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
    );
    expect(bodies(jpeg(1, false, 0xc2))[0]).toContain('/DeviceGray');
    expect(bodies(jpeg(4))[0]).not.toContain('/Decode[');
    expect(bodies(jpeg(4, true))[0]).toContain('/DeviceCMYK/BitsPerComponent 8/Decode[1 0 1 0 1 0 1 0]');
  });
});

describe('pictures', () => {
  const overlay = { id: 'p', type: 'image' as const, page: 1, x: 10, y: 10, width: 40, height: 40 };
  const assets = new Map([['assets/grey.png', GREY]]);

  it('[FILL71] a static picture: shared by all rows; a picture of a row: embedded in that row', async () => {
    const fixed = await drawingBench([{ ...overlay, value: { static: 'grey.png' } }], { assets });
    expect(fixed.baseObjects.length).toBe(1);
    expect(fixed.draw()).toMatchObject({ applied: 1, objects: [] });
    const mapped = await drawingBench([{ ...overlay, value: { column: 'column_0' } }], { assets });
    expect(mapped.baseObjects).toEqual([]);
    const base64 = Buffer.from(RGBA).toString('base64');
    for (const [value, objects] of [
      ['assets/grey.png', 1],
      ['grey.png', 1],
      [base64, 2],
      [`data:image/png;base64,${base64}`, 2],
      ['', 0],
    ] as const) {
      const drawing = mapped.draw(value);
      expect(drawing).toMatchObject({ applied: 1, skipped: 0, warnings: [] });
      expect(drawing.objects.length).toBe(objects);
    }
  });

  it('[FILL71] each fit: contains, covers or stretches', () => {
    const frame = { x: 0, y: 0, width: 40, height: 40, rotation: 0, opacity: 1 };
    const at = (fit: 'contain' | 'cover' | 'stretch') =>
      fitPicture('p', frame, { width: 20, height: 10, orientation: 1 }, 'I0', {
        fit,
        align: 'center',
        valign: 'top',
      });
    expect(at('contain')).toMatchObject({ x: 0, y: 20, width: 40, height: 20, clipped: false });
    expect(at('cover')).toMatchObject({ x: -20, y: 0, width: 80, height: 40, clipped: true });
    expect(at('stretch')).toMatchObject({ x: 0, y: 0, width: 40, height: 40 });
  });

  it.each([
    ['damaged base64', 'data:image/png;base64,####'],
    ['a truncated PNG', Buffer.from(GREY.subarray(0, 50)).toString('base64')],
    ['too few pixels', Buffer.from(png(200, 200, [8, 0], [[0, 1]])).toString('base64')],
    [
      'more pixels than declared',
      Buffer.from(png(1, 1, [8, 0], [new Array(999).fill(0)])).toString('base64'),
    ],
    ['an impossible kind', Buffer.from(png(1, 1, [3, 2], [[0, 1]])).toString('base64')],
    ['an arithmetic JPEG', Buffer.from(jpeg(3, false, 0xc9)).toString('base64')],
    ['a JPEG without frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0]).toString('base64')],
    ['another format', `data:image/png;base64,${Buffer.from('GIF89a but not a picture').toString('base64')}`],
    ['another format as long base64', Buffer.from(`GIF89a${'.'.repeat(300)}`).toString('base64')],
  ])('[FILL72] %s: skipped', async (_, value) => {
    const bench = await drawingBench([{ ...overlay, value: { column: 'column_0' } }], { assets });
    const drawing = bench.draw(value);
    expect(drawing).toMatchObject({
      applied: 0,
      skipped: 1,
      warnings: [{ code: 'IMAGE_INVALID', overlay_id: 'p' }],
    });
    expect(drawing.objects).toEqual([]);
  });
});
