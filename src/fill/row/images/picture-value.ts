import { ImageInvalid } from './image-invalid.ts';
import type { PdfImage } from './pdf-image.ts';
import { readImage } from './read-image.ts';

/**
 * What an image value means: the name of a package asset (`assets/stamp.png`, or just `stamp.png`), or the picture
 * itself as base64, bare or in a data: URL. Pictures are remembered: a run names few of them many times.
 */
export type FindPicture = (value: string) => PdfImage | { readonly invalid: string };

const MEMO_PICTURES = 64;
const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/i;

export function pictureFinder(assets: ReadonlyMap<string, Uint8Array>): FindPicture {
  const memo = new Map<string, PdfImage | { readonly invalid: string }>();
  return (value) => {
    let found = memo.get(value);
    if (found === undefined) {
      found = find(value, assets);
      if (memo.size >= MEMO_PICTURES) memo.clear();
      memo.set(value, found);
    }
    return found;
  };
}

/** Whether a value can only mean a picture; a signature may also be a typed name. */
export function looksLikePicture(value: string, assets: ReadonlyMap<string, Uint8Array>): boolean {
  return (
    assetNamed(value, assets) !== undefined ||
    value.startsWith('assets/') ||
    value.startsWith('data:') ||
    /^(?:iVBORw0KGgo|\/9j\/)/.test(value)
  );
}

function find(
  value: string,
  assets: ReadonlyMap<string, Uint8Array>,
): PdfImage | { readonly invalid: string } {
  const asset = assetNamed(value, assets);
  try {
    if (asset !== undefined) return readImage(asset);
    if (value.startsWith('assets/')) return { invalid: 'the package has no such asset' };
    const bytes = decodeBase64(value.replace(DATA_URL, ''));
    return bytes === undefined ? { invalid: 'it names no asset and is not base64' } : readImage(bytes);
  } catch (error) {
    if (error instanceof ImageInvalid) return { invalid: error.message };
    throw error;
  }
}

function assetNamed(value: string, assets: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
  return assets.get(value) ?? assets.get(`assets/${value}`);
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));

/** RFC 4648 §4, with or without padding; white space is allowed, nothing else. Undefined when it is not base64. */
function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/[\s]+/g, '').replace(/={1,2}$/, '');
  if (digits === '' || digits.length % 4 === 1) return undefined;
  const bytes = new Uint8Array((digits.length * 3) >> 2);
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = VALUES[digits.charCodeAt(index)] ?? -1;
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at] = (bits >> count) & 0xff;
    at += 1;
  }
  return bytes;
}
