import { usableProfile } from './icc-profile.ts';
import { ImageInvalid } from './image-invalid.ts';
import { readJpegSegments } from './jpeg-segments.ts';
import { type PdfImage, pdfImage } from './pdf-image.ts';

/** Embeds a JPEG unchanged (/DCTDecode). Adobe's CMYK files store inverted values, which /Decode inverts again. */
export function readJpeg(bytes: Uint8Array, digest: string): PdfImage {
  const { width, height, components, adobe, orientation, profile } = readJpegSegments(bytes);
  if (components !== 1 && components !== 3 && components !== 4)
    throw new ImageInvalid(`a JPEG of ${components} colour components`);
  const decode = components === 4 && adobe ? '/Decode[1 0 1 0 1 0 1 0]' : '';
  return pdfImage({
    width,
    height,
    orientation,
    digest,
    components,
    profile: usableProfile(profile, components),
    entries: `/BitsPerComponent 8${decode}/Filter/DCTDecode`,
    data: bytes,
  });
}
