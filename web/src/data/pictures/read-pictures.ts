import {
  AssetCounter,
  type AssetLimits,
  AssetsRefused,
  isJunk,
  quoted,
} from '#fill/draw/images/asset-limits.ts';
import { baseName } from '#fill/draw/images/job-assets.ts';
import { PICTURE_START_BYTES, pictureKind } from '#fill/draw/images/read-image.ts';
import { MAX_KEPT_BYTES, type PictureSet } from './picture-set.ts';
import { zipEntries } from './read-zip.ts';

/** A file that was chosen or dropped, with its path inside the folder. */
export interface PickedFile {
  readonly path: string;
  readonly file: File;
}

interface Found {
  readonly path: string;
  readonly bytes: number;
  content(): Promise<Blob>;
}

/**
 * Reads a ZIP or the files of a folder by the rules of `assets_file` (FILL145). Throws `AssetsRefused` with the message of the
 * server.
 */
export async function readPictures(picked: readonly PickedFile[], limits: AssetLimits): Promise<PictureSet> {
  const [first] = picked;
  const isZip = picked.length === 1 && first !== undefined && /\.zip$/i.test(first.path);
  const name = isZip ? first.file.name : folderName(picked);
  if (isZip && first.file.size > limits.maxBytes)
    throw new AssetsRefused(`it is larger than ${limits.maxBytes} bytes`);
  const found = isZip ? await zipEntries(first.file, limits.maxEntries) : picked.map(asFound);
  const pictures = found.filter(({ path }) => !path.endsWith('/') && !isJunk(path));
  const counter = new AssetCounter(limits);
  for (const { path, bytes } of pictures) counter.add(baseName(path), path, bytes);
  const bytes = pictures.reduce((sum, each) => sum + each.bytes, 0);
  // A copy does not change if the file on disk does. Large sets are read from disk instead.
  const copies = !isZip && bytes <= MAX_KEPT_BYTES;
  const files = new Map<string, Blob>();
  for (const { path, content } of pictures) {
    const data = await content();
    const kind = pictureKind(new Uint8Array(await data.slice(0, PICTURE_START_BYTES).arrayBuffer()));
    if (kind === undefined) throw new AssetsRefused(`${quoted(path)} is neither a PNG nor a JPEG`);
    const type = `image/${kind}`;
    files.set(
      baseName(path),
      copies ? new Blob([await data.arrayBuffer()], { type }) : data.slice(0, data.size, type),
    );
  }
  return { name, files, bytes, zip: isZip ? first.file : null };
}

const asFound = ({ path, file }: PickedFile): Found => ({
  path,
  bytes: file.size,
  content: async () => file,
});

function folderName(picked: readonly PickedFile[]): string {
  const [first] = picked;
  const [folder, ...rest] = first?.path.split('/') ?? [];
  return rest.length > 0 && folder !== undefined ? folder : 'pictures';
}
