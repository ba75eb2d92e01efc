import { Inflate } from 'fflate';
import type { Codec } from '../codec.ts';
import type { ContainerEntries } from './write-container.ts';

/**
 * Reads an untrusted ZIP. It also supports compressed entries, so that a package that was unpacked, edited and packed again is
 * reported as tampered rather than malformed. No number in the file is trusted: offsets are checked, sizes are capped before
 * anything is allocated, and inflating stops at the declared size.
 */
export const CONTAINER_CAPS = {
  fileBytes: 10_000_000,
  entries: 200,
  totalBytes: 40_000_000,
  /** Real layouts deflate about 20:1; deflate itself can reach 1032:1. */
  ratio: 200,
  nameBytes: 120,
} as const;

export type ReadContainer =
  | { readonly ok: true; readonly entries: ContainerEntries }
  | { readonly ok: false; readonly kind: 'malformed' | 'tampered'; readonly message: string };

const END_SIZE = 22;
const malformed = (message: string): ReadContainer => ({ ok: false, kind: 'malformed', message });

export function readContainer(bytes: Uint8Array, codec: Pick<Codec, 'crc32'>): ReadContainer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - END_SIZE;
  // The end record must be at the very end: a package has no archive comment.
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) return malformed('The package is not a ZIP file.');
  const count = view.getUint16(end + 10, true);
  const directorySize = view.getUint32(end + 12, true);
  const directory = view.getUint32(end + 16, true);
  if (count > CONTAINER_CAPS.entries) return malformed('The package has too many entries.');
  if (directory + directorySize !== end) return malformed('The ZIP directory of the package is damaged.');

  const entries = new Map<string, Uint8Array>();
  let total = 0;
  let at = directory;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) {
      return malformed('The ZIP directory of the package is damaged.');
    }
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const crc = view.getUint32(at + 16, true);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const offset = view.getUint32(at + 42, true);
    const name = asciiName(bytes.subarray(at + 46, at + 46 + nameLength));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (at > end) return malformed('The ZIP directory of the package is damaged.');
    if (name === null) return malformed('The package has an entry with an unacceptable name.');
    // Packing tools add entries for folders. They are empty, and the comparison of all bytes refuses them anyway.
    if (name.endsWith('/') && size === 0) continue;
    if (entries.has(name)) return malformed(`The package has two entries ${name}.`);
    if ((flags & 1) !== 0 || (method !== 0 && method !== 8)) {
      return malformed(`The entry ${name} is encrypted or compressed in an unknown way.`);
    }
    total += size;
    if (total > CONTAINER_CAPS.totalBytes || size > packed * CONTAINER_CAPS.ratio + 1024) {
      return malformed(`The entry ${name} is too large when unpacked.`);
    }
    const data = entryData(bytes, view, offset, directory, { packed, size, method });
    if (data === null) return malformed(`The entry ${name} is damaged.`);
    if (codec.crc32(data) !== crc) {
      return { ok: false, kind: 'tampered', message: `The content of ${name} was changed.` };
    }
    entries.set(name, data);
  }
  return at === end ? { ok: true, entries } : malformed('The ZIP directory of the package is damaged.');
}

function entryData(
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  limit: number,
  entry: { packed: number; size: number; method: number },
): Uint8Array | null {
  if (offset + 30 > limit || view.getUint32(offset, true) !== 0x04034b50) return null;
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + entry.packed > limit) return null;
  const packed = bytes.subarray(start, start + entry.packed);
  if (entry.method === 0) return entry.packed === entry.size ? packed : null;
  return inflate(packed, entry.size);
}

/** Inflates in small steps, so that a stream with a wrong declared size costs at most one step more. */
function inflate(packed: Uint8Array, size: number): Uint8Array | null {
  const out = new Uint8Array(size);
  let length = 0;
  let finished = false;
  const stream = new Inflate((chunk, final) => {
    if (length + chunk.length > size) throw new RangeError('larger than declared');
    out.set(chunk, length);
    length += chunk.length;
    finished = final;
  });
  try {
    for (let at = 0; at < packed.length; at += 4096) {
      stream.push(packed.subarray(at, at + 4096), at + 4096 >= packed.length);
    }
  } catch {
    return null;
  }
  return finished && length === size ? out : null;
}

/** Entry names are plain ASCII without anything that could act as a path beyond one folder. */
function asciiName(bytes: Uint8Array): string | null {
  if (bytes.length === 0 || bytes.length > CONTAINER_CAPS.nameBytes) return null;
  const name = String.fromCharCode(...bytes);
  return /^[A-Za-z0-9][A-Za-z0-9._-]*(\/([A-Za-z0-9][A-Za-z0-9._-]*)?)?$/.test(name) ? name : null;
}
