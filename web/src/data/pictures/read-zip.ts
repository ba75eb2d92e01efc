import { AssetsRefused, quoted } from '#fill/draw/images/asset-limits.ts';

/** A file in a ZIP. Its content is a slice of the ZIP, or unpacked when it is read. */
export interface ZipEntry {
  readonly path: string;
  readonly bytes: number;
  content(): Promise<Blob>;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;
const CUT = 'it is not a ZIP file, or it is cut short';

/** Lists the files of a ZIP (APPNOTE.TXT) without reading their content, so that a large one needs no memory. */
export async function zipEntries(zip: Blob, maxEntries: number): Promise<readonly ZipEntry[]> {
  const tailAt = Math.max(0, zip.size - END_BYTES - LONGEST_COMMENT);
  const tail = await viewOf(zip.slice(tailAt));
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new AssetsRefused(CUT);
  const count = tail.getUint16(end + 10, true);
  if (count > maxEntries)
    throw new AssetsRefused(`it has ${count} entries; at most ${maxEntries} are allowed`);
  const start = tail.getUint32(end + 16, true);
  const directory = await viewOf(zip.slice(start, start + tail.getUint32(end + 12, true)));
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== CENTRAL)
      throw new AssetsRefused(CUT);
    const nameLength = directory.getUint16(at + 28, true);
    const name = new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameLength);
    entries.push(entryOf(zip, directory, at, new TextDecoder().decode(name)));
    at += 46 + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return entries;
}

function entryOf(zip: Blob, directory: DataView, at: number, path: string): ZipEntry {
  const flags = directory.getUint16(at + 8, true);
  const method = directory.getUint16(at + 10, true);
  const packed = directory.getUint32(at + 20, true);
  const bytes = directory.getUint32(at + 24, true);
  const offset = directory.getUint32(at + 42, true);
  if ((flags & 1) === 1) throw new AssetsRefused(`${quoted(path)} is encrypted`);
  if (method !== STORED && method !== DEFLATED)
    throw new AssetsRefused(`${quoted(path)} is compressed by method ${method}; use deflate`);
  const content = async () => {
    const local = await viewOf(zip.slice(offset, offset + 30));
    if (local.byteLength < 30) throw new AssetsRefused(CUT);
    const from = offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
    const data = zip.slice(from, from + packed);
    const unpacked = method === STORED ? data : await inflated(data, path, bytes);
    if (unpacked.size !== bytes) throw new AssetsRefused(`${quoted(path)} is damaged`);
    return unpacked;
  };
  return { path, bytes, content };
}

/** Stops at the declared size, so that a ZIP bomb costs no more than the limits allow. */
async function inflated(data: Blob, path: string, bytes: number): Promise<Blob> {
  const parts: Blob[] = [];
  let size = 0;
  try {
    const reader = data.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return new Blob(parts);
      size += value.length;
      if (size > bytes) {
        await reader.cancel();
        break;
      }
      parts.push(new Blob([value]));
    }
  } catch {
    // Falls through: the data is not valid deflate.
  }
  throw new AssetsRefused(`${quoted(path)} is damaged`);
}

async function viewOf(blob: Blob): Promise<DataView> {
  return new DataView(await blob.arrayBuffer());
}
