import { ImageInvalid } from './image-invalid.ts';
import { type JobAssets, jobAssetName, NO_JOB_ASSETS } from './job-assets.ts';
import type { PdfImage } from './pdf-image.ts';
import { type FoundPicture, PictureCache, type PictureProblem } from './picture-cache.ts';
import { type ImageCodec, pixelsToDecode, readImage } from './read-image.ts';

/** The sources of pictures, and the codec that decodes them. */
export interface PictureSources {
  readonly job: JobAssets;
  /** Of the package, by entry name (`assets/stamp.png`). */
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly codec: ImageCodec;
}

/** For drawings without image values, such as the values of form fields. */
export const NO_PICTURES: PictureSources = {
  job: NO_JOB_ASSETS,
  assets: new Map(),
  codec: {
    crc32: () => noPicture(),
    sha256Hex: () => noPicture(),
  },
};

function noPicture(): never {
  throw new Error('bug: a drawing without pictures reads one');
}

/**
 * Resolves an image value: the name of a picture of the job, else of a package asset (`assets/stamp.png`, or just
 * `stamp.png`), else the picture itself as base64, bare or in a data: URL.
 */
export type FindPicture = (value: string, charge: Charge) => FoundPicture;

/** Called with the pixel count of a picture before decoding. Throws if the row's pixel budget is exhausted. */
export type Charge = (pixels: number) => void;

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/i;
/** How the base64 of a PNG and of a JPEG begins. */
const ENCODED_PICTURE = /^(?:iVBORw0KGgo|\/9j\/)/;
const PICTURE_NAME = /\.(?:png|jpe?g)$/i;
/** File names are never longer, so a longer value must be intended as base64. */
const LONGEST_NAME = 255;

export function pictureFinder(sources: PictureSources): FindPicture {
  const cache = new PictureCache();
  return (value, charge) => {
    const known = cache.find(value);
    if (known !== undefined) {
      // A cached picture costs the same as a new one, so that the outcome depends on this row alone.
      charge('code' in known ? (known.pixels ?? 0) : known.width * known.height);
      return known;
    }
    const found = find(value, sources, charge);
    cache.keep(value, found);
    return found;
  };
}

/** Returns whether a value can only be a picture. A signature may also be a typed name. */
export function looksLikePicture(
  value: string,
  { job, assets }: Pick<PictureSources, 'job' | 'assets'>,
): boolean {
  const name = jobAssetName(value);
  return (
    (name !== undefined && job.has(name)) ||
    assetNamed(value, assets) !== undefined ||
    value.startsWith('assets/') ||
    value.startsWith('data:') ||
    PICTURE_NAME.test(value) ||
    ENCODED_PICTURE.test(value)
  );
}

/** Returns whether a picture value is a name that neither the job nor the package has: the case of `IMAGE_MISSING`. */
export function isMissingPicture(
  value: string,
  { job, assets }: { readonly job: Pick<JobAssets, 'has'>; readonly assets: PictureSources['assets'] },
): boolean {
  const name = jobAssetName(value);
  if ((name !== undefined && job.has(name)) || assetNamed(value, assets) !== undefined) return false;
  return value.startsWith('assets/') || isName(value);
}

function find(value: string, { job, assets, codec }: PictureSources, charge: Charge): FoundPicture {
  const name = jobAssetName(value);
  const file = (name === undefined ? undefined : job.read(name)) ?? assetNamed(value, assets);
  let ahead = 0;
  const read = (bytes: Uint8Array): PdfImage => {
    ahead = pixelsToDecode(bytes);
    charge(ahead);
    const image = readImage(bytes, codec);
    charge(image.width * image.height - ahead);
    return image;
  };
  try {
    if (file !== undefined) return read(file);
    if (value.startsWith('assets/')) return MISSING;
    const bytes = decodeBase64(value.replace(DATA_URL, ''));
    if (bytes !== undefined) return read(bytes);
    return isName(value) ? MISSING : invalid('it is not valid base64');
  } catch (error) {
    if (!(error instanceof ImageInvalid)) throw error;
    return { ...(file === undefined && isName(value) ? MISSING : invalid(error.message)), pixels: ahead };
  }
}

const MISSING: PictureProblem = {
  code: 'IMAGE_MISSING',
  message: 'Neither the job nor the package has a picture of this name.',
};

const invalid = (reason: string): PictureProblem => ({
  code: 'IMAGE_INVALID',
  message: `The picture cannot be used: ${reason}.`,
});

/** Letters and digits alone may be a name or base64. A value counts as a name unless it is clearly base64. */
function isName(value: string): boolean {
  return value.length <= LONGEST_NAME && !value.startsWith('data:') && !ENCODED_PICTURE.test(value);
}

function assetNamed(value: string, assets: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
  return assets.get(value) ?? assets.get(`assets/${value}`);
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));

/** Decodes base64 (RFC 4648 §4), with or without padding and white space. Returns undefined for any other text. */
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
