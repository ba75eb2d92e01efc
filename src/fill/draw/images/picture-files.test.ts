import { zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import {
  exifOf,
  profileOf,
  quartersJpeg,
  turnedJpeg,
  withSegment,
} from '../../../../test/support/small-jpeg.ts';
import { pngChunk, smallPng } from '../../../../test/support/small-png.ts';

const overlay = {
  id: 'p',
  type: 'image' as const,
  page: 1,
  x: 100,
  y: 100,
  width: 60,
  height: 60,
  value: { column: 'column_0' },
};
const greyHeader = [0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0];
const rgbHeader = [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0];
const greyPng = (...extra: number[]) => smallPng(greyHeader, [0, 10, 200], extra);

/** Draws a picture file as the value of a cell. */
async function drawn(file: Uint8Array) {
  const bench = await drawingBench([overlay]);
  const drawing = bench.draw(Buffer.from(file).toString('base64'));
  const [slot] = drawing.slots;
  return {
    ...drawing,
    content: Buffer.from(slot?.content ?? []).toString('latin1'),
    bodies: drawing.objects.map(({ body }) => Buffer.from(body).toString('latin1')),
  };
}

describe('[FILL76] the pixels of a PNG', () => {
  /** Its header declares 40 million pixels, but the file contains few. */
  const vast = (mark: number) =>
    Buffer.from(smallPng([0, 0, 31, 64, 0, 0, 19, 136, 8, 0, 0, 0, 0], [0, mark])).toString('base64');
  const both = [overlay, { ...overlay, id: 'q', value: { column: 'column_1' } }];

  it('within the limit of the row: the damaged picture is skipped', async () => {
    const bench = await drawingBench(both);
    expect(bench.draw(vast(1), '')).toMatchObject({ error: null, warnings: [{ code: 'IMAGE_INVALID' }] });
  });

  it('beyond the limit of the row: charged from the header before decoding, in every row', async () => {
    const bench = await drawingBench(both);
    const error = { code: 'ROW_TOO_COMPLEX', message: 'The row asks for more than 64000000 pixels.' };
    expect(bench.draw(vast(1), vast(2)).error).toEqual(error);
    bench.draw(vast(1), '');
    bench.draw('', vast(2));
    expect(bench.draw(vast(1), vast(2)).error).toEqual(error);
  });

  it('in a second header: the picture is invalid', async () => {
    const twice = greyPng(...pngChunk('IHDR', greyHeader));
    expect(await drawn(twice)).toMatchObject({ error: null, warnings: [{ code: 'IMAGE_INVALID' }] });
  });
});

describe('orientation', () => {
  // 32 × 16 pixels in a box of 60 × 60: upright 60 × 30, turned 30 × 60. The page is 842 points high.
  it.each([
    [1, '60 0 0 30 100 697 cm'],
    [2, '-60 0 0 30 160 697 cm'],
    [3, '-60 0 0 -30 160 727 cm'],
    [4, '60 0 0 -30 100 727 cm'],
    [5, '0 -60 -30 0 145 742 cm'],
    [6, '0 -60 30 0 115 742 cm'],
    [7, '0 60 30 0 115 682 cm'],
    [8, '0 60 -30 0 145 682 cm'],
  ])('[FILL141] a JPEG with EXIF orientation %i: drawn upright', async (orientation, matrix) => {
    for (const little of [false, true])
      expect((await drawn(turnedJpeg(quartersJpeg, orientation, little))).content).toContain(matrix);
  });

  it('[FILL141] a PNG with an eXIf chunk: drawn upright', async () => {
    expect((await drawn(greyPng(...pngChunk('eXIf', exifOf(6))))).content).toContain('0 -60 30 0 115 742 cm');
  });

  it('[FILL141] a package picture that all rows show: drawn upright', async () => {
    const assets = new Map([['assets/a.jpg', turnedJpeg(quartersJpeg, 8)]]);
    const bench = await drawingBench([{ ...overlay, value: { static: 'a.jpg' } }], { assets });
    const [slot] = bench.draw().slots;
    expect(Buffer.from(slot?.content ?? []).toString('latin1')).toContain('0 60 -30 0 145 682 cm /I0 Do');
  });

  it('[FILL141] an unreadable orientation: the picture is drawn as stored', async () => {
    for (const file of [
      turnedJpeg(quartersJpeg, 0),
      turnedJpeg(quartersJpeg, 9),
      withSegment(quartersJpeg, 0xe1, Buffer.from('Exif\0\0MM\0*\xff\xff\xff\xff', 'latin1')),
      withSegment(quartersJpeg, 0xe1, Buffer.from('Exif\0\0')),
    ])
      expect((await drawn(file)).content).toContain('60 0 0 30 100 697 cm');
  });
});

describe('whole files', () => {
  const invalid = { applied: 0, skipped: 1, warnings: [{ code: 'IMAGE_INVALID', overlay_id: 'p' }] };

  it('[FILL142] a JPEG truncated at any byte: not drawn', async () => {
    const bench = await drawingBench([overlay]);
    expect(bench.draw(Buffer.from(quartersJpeg).toString('base64'))).toMatchObject({ applied: 1 });
    for (let length = 4; length < quartersJpeg.length; length += 1)
      expect(bench.draw(Buffer.from(quartersJpeg.subarray(0, length)).toString('base64'))).toMatchObject(
        invalid,
      );
  });

  it('[FILL142] a JPEG with extra bytes at the end: drawn', async () => {
    expect(await drawn(Uint8Array.from([...quartersJpeg, 0, 0, 1, 2]))).toMatchObject({ applied: 1 });
  });

  it('[FILL142] a JPEG whose scan has no data: not drawn', async () => {
    const scan = quartersJpeg.lastIndexOf(0xda);
    const header = scan + 1 + (((quartersJpeg[scan + 1] ?? 0) << 8) | (quartersJpeg[scan + 2] ?? 0));
    expect(await drawn(Uint8Array.from([...quartersJpeg.subarray(0, header), 0xff, 0xd9]))).toMatchObject(
      invalid,
    );
  });

  it('[FILL142] a PNG truncated at any byte, or with any byte changed: not drawn', async () => {
    const bench = await drawingBench([overlay]);
    const whole = greyPng(...pngChunk('tEXt', [65, 0, 66]));
    const draw = (file: Uint8Array) =>
      bench.draw(`data:image/png;base64,${Buffer.from(file).toString('base64')}`);
    expect(draw(whole)).toMatchObject({ applied: 1 });
    for (let length = 4; length < whole.length; length += 1)
      expect(draw(whole.subarray(0, length))).toMatchObject(invalid);
    for (let at = 8; at < whole.length; at += 1)
      expect(draw(whole.map((byte, index) => (index === at ? byte ^ 0x10 : byte)))).toMatchObject(invalid);
  });

  it('[FILL142] a PNG line with an unknown filter: not drawn', async () => {
    expect(await drawn(smallPng(greyHeader, [5, 10, 200]))).toMatchObject(invalid);
  });
});

describe('colour profiles', () => {
  const iccSegment = (profile: Uint8Array, number = 1, count = 1) =>
    Uint8Array.from([...Buffer.from('ICC_PROFILE\0'), number, count, ...profile]);

  it('[FILL143] a JPEG with a matching profile: keeps it', async () => {
    const { bodies } = await drawn(withSegment(quartersJpeg, 0xe2, iccSegment(profileOf('GRAY'))));
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toMatch(/\/ColorSpace\[\/ICCBased \d+ 0 R\]\/BitsPerComponent 8/);
    expect(bodies[1]).toContain('/N 1/Alternate/DeviceGray/Filter/FlateDecode');
  });

  it('[FILL143] a profile in several segments: joined', async () => {
    const profile = profileOf('GRAY');
    const second = withSegment(quartersJpeg, 0xe2, iccSegment(profile.subarray(60), 2, 2));
    const both = withSegment(second, 0xe2, iccSegment(profile.subarray(0, 60), 1, 2));
    expect((await drawn(both)).bodies).toHaveLength(2);
    expect((await drawn(second)).bodies).toHaveLength(1);
  });

  it('[FILL143] a PNG with a matching profile: keeps it, even with a palette or transparency', async () => {
    const profile = pngChunk('iCCP', [...Buffer.from('mine\0\0'), ...zlibSync(profileOf('RGB '))]);
    const [plain] = (await drawn(smallPng(rgbHeader, [0, 1, 2, 3], profile))).bodies;
    expect(plain).toMatch(/\/ColorSpace\[\/ICCBased \d+ 0 R\]/);
    const indexed = [...profile, ...pngChunk('PLTE', [1, 2, 3])];
    const palette = (await drawn(smallPng([...rgbHeader.slice(0, 9), 3, 0, 0, 0], [0, 0], indexed))).bodies;
    expect(palette[0]).toMatch(/\/ColorSpace\[\/Indexed\[\/ICCBased \d+ 0 R\] 0<010203>\]/);
    const alpha = (await drawn(smallPng([...rgbHeader.slice(0, 9), 6, 0, 0, 0], [0, 1, 2, 3, 4], profile)))
      .bodies;
    expect(alpha[0]).toMatch(/\[\/ICCBased (\d+) 0 R\].*\/SMask \d+ 0 R/);
    expect(alpha).toHaveLength(3);
  });

  it('[FILL143] a profile for other colours, or a damaged one: ignored', async () => {
    for (const profile of [
      profileOf('RGB '),
      profileOf('GRAY', { 36: 'nope' }),
      profileOf('GRAY', { 12: 'link' }),
      profileOf('GRAY').subarray(0, 131),
      new Uint8Array(),
    ]) {
      const { bodies, applied } = await drawn(withSegment(quartersJpeg, 0xe2, iccSegment(profile)));
      expect(applied).toBe(1);
      expect(bodies).toHaveLength(1);
      expect(bodies[0]).toContain('/ColorSpace/DeviceGray');
    }
  });
});
