import { jobAssetName } from '#fill/draw/images/job-assets.ts';

/** Converts a picture value (an asset of the package, a data: URL, or bare base64) to a URL for `<img>`. */
const urls = new WeakMap<Uint8Array, string>();

function urlOf(bytes: Uint8Array): string {
  const known = urls.get(bytes);
  if (known !== undefined) return known;
  const type = bytes[0] === 0x89 ? 'image/png' : 'image/jpeg';
  const made = URL.createObjectURL(new Blob([bytes.slice()], { type }));
  urls.set(bytes, made);
  return made;
}

const blobUrls = new WeakMap<Blob, string>();

function urlOfBlob(blob: Blob): string {
  const known = blobUrls.get(blob);
  if (known !== undefined) return known;
  const made = URL.createObjectURL(blob);
  blobUrls.set(blob, made);
  return made;
}

/** A picture of the rows comes before one of the package, as in the engine. */
export function pictureUrl(
  value: string,
  assets: ReadonlyMap<string, Uint8Array>,
  pictures?: ReadonlyMap<string, Blob>,
): string | null {
  const picture = pictures?.get(jobAssetName(value) ?? '');
  if (picture !== undefined) return urlOfBlob(picture);
  const asset = assets.get(value) ?? assets.get(`assets/${value}`);
  if (asset !== undefined) return urlOf(asset);
  if (/^data:image\/(?:png|jpe?g);base64,/i.test(value)) return value;
  if (value.startsWith('iVBORw0KGgo')) return `data:image/png;base64,${value}`;
  return value.startsWith('/9j/') ? `data:image/jpeg;base64,${value}` : null;
}
