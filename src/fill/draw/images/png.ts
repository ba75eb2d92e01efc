import { zlibSync } from 'fflate';
import type { Codec } from '#fill/codec.ts';
import { MAX_PROFILE_BYTES, usableProfile } from './icc-profile.ts';
import { type PdfImage, pdfImage } from './pdf-image.ts';
import { readPngChunks } from './png-chunks.ts';
import { checkPixels, decodeRows, inflateExactly, inflateUpTo, samplesOf } from './png-pixels.ts';

/**
 * Converts a PNG to an image XObject. A picture without transparency and interlacing keeps its compressed data: PDF's
 * /Predictor 15 is PNG's row filtering (ISO 32000-2 §7.4.4.4). Others are decoded, and the alpha channel becomes an
 * /SMask (§11.6.5.2).
 */
export function readPng(bytes: Uint8Array, crc32: Codec['crc32'], digest: string): PdfImage {
  const { header, palette, transparency, data, orientation, deflatedProfile } = readPngChunks(bytes, crc32);
  const { width, height, colorType, bitDepth } = header;
  const components = colorType === 0 || colorType === 4 ? 1 : 3;
  const profile = deflatedProfile && inflateUpTo(deflatedProfile, MAX_PROFILE_BYTES);
  const common = {
    width,
    height,
    orientation,
    digest,
    components,
    profile: usableProfile(profile, components),
  };
  const hasAlpha = colorType >= 4 || transparency !== undefined;
  if (!hasAlpha && !header.interlaced) {
    checkPixels(data, header);
    const colors = colorType === 2 ? 3 : 1;
    return pdfImage({
      ...common,
      ...(colorType === 3 && palette !== undefined && { palette: lookup(palette) }),
      entries:
        `/BitsPerComponent ${bitDepth}/Filter/FlateDecode` +
        `/DecodeParms<</Predictor 15/Colors ${colors}/BitsPerComponent ${bitDepth}/Columns ${width}>>`,
      data,
    });
  }
  const rows = decodeRows(inflateExactly(data, header), header);
  const { color, alpha } = samplesOf(rows, header, palette, transparency);
  const entries = '/BitsPerComponent 8/Filter/FlateDecode';
  return pdfImage({
    ...common,
    entries,
    data: zlibSync(color, { level: 9 }),
    ...(alpha !== undefined && { mask: { entries, data: zlibSync(alpha, { level: 9 }) } }),
  });
}

function lookup(palette: Uint8Array): string {
  let hex = '';
  for (const byte of palette) hex += byte.toString(16).padStart(2, '0');
  return ` ${palette.length / 3 - 1}<${hex}>`;
}
