/** 32 × 16 grey pixels in four equal quarters: 20 and 100 above, 180 and 250 below. */
export const quartersJpeg = Uint8Array.from(
  Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFRERGCEYGh0d' +
      'Hx8fExciJCIeJBweHx7/wAALCAAQACABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAgH/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/a' +
      'AAgBAQAAPwCUhQAoAbgP/9k=',
    'base64',
  ),
);

/** The same picture with a segment after its start marker. */
export function withSegment(jpeg: Uint8Array, marker: number, body: Uint8Array): Uint8Array {
  const length = body.length + 2;
  return Uint8Array.from([
    ...jpeg.subarray(0, 2),
    ...[0xff, marker, length >> 8, length & 255],
    ...body,
    ...jpeg.subarray(2),
  ]);
}

/** EXIF data that contains only an orientation. */
export function exifOf(orientation: number, little = false): Uint8Array {
  const tiff = Buffer.alloc(26);
  const short = (value: number, at: number) =>
    little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    little ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(little ? 'II' : 'MM', 0, 'latin1');
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0x0112, 10);
  short(3, 12);
  long(1, 14);
  short(orientation, 18);
  return Uint8Array.from(tiff);
}

export function turnedJpeg(jpeg: Uint8Array, orientation: number, little = false): Uint8Array {
  return withSegment(
    jpeg,
    0xe1,
    Uint8Array.from([...Buffer.from('Exif\0\0'), ...exifOf(orientation, little)]),
  );
}

/** The header of an ICC profile without any content. */
export function profileOf(space: 'GRAY' | 'RGB ' | 'CMYK', members: Readonly<Record<number, string>> = {}) {
  const profile = Buffer.alloc(132);
  profile.writeUInt32BE(profile.length, 0);
  profile[8] = 4;
  for (const [at, text] of Object.entries({ 12: 'mntr', 16: space, 36: 'acsp', ...members }))
    profile.write(text, Number(at), 'latin1');
  return Uint8Array.from(profile);
}
