import { stream } from '../../fonts/pdf-font.ts';
import type { ObjectNumbers, PdfObject } from '../../write/tail-object.ts';
import type { PdfImage } from './pdf-image.ts';
import { type PngHeader, readPngChunks } from './png-chunks.ts';
import { decodeRows, inflateExactly, samplesOf } from './png-pixels.ts';

/**
 * PNG → image XObject. A picture without transparency and interlacing keeps its own compressed data: PDF's
 * /Predictor 15 is PNG's row filtering (ISO 32000-2 §7.4.4.4). Others are decoded, and the alpha channel becomes an
 * /SMask (§11.6.5.2).
 */
export function readPng(bytes: Uint8Array): PdfImage {
  const { header, palette, transparency, data } = readPngChunks(bytes);
  const { width, height } = header;
  const raw = inflateExactly(data, header);
  const hasAlpha = header.colorType >= 4 || transparency !== undefined;
  if (!hasAlpha && !header.interlaced) {
    const colors = header.colorType === 2 ? 3 : 1;
    const parms = `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${colors}/BitsPerComponent ${header.bitDepth}/Columns ${width}>>`;
    return {
      width,
      height,
      write: (numbers) => {
        const num = numbers.next();
        const entries = `${dictionary(header)}/ColorSpace${colorSpace(header, palette)}/BitsPerComponent ${header.bitDepth}${parms}`;
        return { num, objects: [stream(num, data, entries, false)] };
      },
    };
  }
  const { color, alpha, components } = samplesOf(decodeRows(raw, header), header, palette, transparency);
  return {
    width,
    height,
    write: (numbers) => writeSamples(numbers, header, color, alpha, components),
  };
}

function writeSamples(
  numbers: ObjectNumbers,
  header: PngHeader,
  color: Uint8Array,
  alpha: Uint8Array | undefined,
  components: 1 | 3,
): { num: number; objects: PdfObject[] } {
  const num = numbers.next();
  const objects: PdfObject[] = [];
  const space = components === 3 ? '/DeviceRGB' : '/DeviceGray';
  let mask = '';
  if (alpha !== undefined) {
    const maskNumber = numbers.next();
    const entries = `${dictionary(header)}/ColorSpace/DeviceGray/BitsPerComponent 8`;
    objects.push(stream(maskNumber, alpha, entries, true));
    mask = `/SMask ${maskNumber} 0 R`;
  }
  const entries = `${dictionary(header)}/ColorSpace${space}/BitsPerComponent 8${mask}`;
  objects.unshift(stream(num, color, entries, true));
  return { num, objects };
}

function dictionary({ width, height }: PngHeader): string {
  return `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}`;
}

function colorSpace({ colorType }: PngHeader, palette: Uint8Array | undefined): string {
  if (colorType === 2) return '/DeviceRGB';
  if (colorType === 0 || palette === undefined) return '/DeviceGray';
  let hex = '';
  for (const byte of palette) hex += byte.toString(16).padStart(2, '0');
  return `[/Indexed/DeviceRGB ${palette.length / 3 - 1}<${hex}>]`;
}
