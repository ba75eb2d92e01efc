import { nameLength, writeName } from './entry-name.ts';

/**
 * ZIP records (APPNOTE 6.3: 4.3.7, 4.3.12, 4.3.14–16, 4.5.3). Every entry is deflated, sizes are known before the
 * entry is written, times are always 1980-01-01 00:00, names are UTF-8. Nothing depends on the time or the machine.
 */
export interface ZipEntry {
  readonly name: string;
  readonly crc32: number;
  readonly deflatedLength: number;
  readonly plainLength: number;
}

const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const DOS_DATE_1980 = 0x0021;
const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
const U32_MAX = 0xffffffff;
const U16_MAX = 0xffff;

const LOCAL_HEADER_LENGTH = 30;
const CENTRAL_RECORD_LENGTH = 46;

/** Length of an entry's header before its data. */
export function localLength(name: string): number {
  return LOCAL_HEADER_LENGTH + nameLength(name);
}

export function localHeader(entry: ZipEntry): Uint8Array {
  const bytes = new Uint8Array(localLength(entry.name));
  writeLocal(bytes, new DataView(bytes.buffer), 0, entry);
  return bytes;
}

/** Writes the header and returns the position after it. `view` covers all of `bytes`. */
export function writeLocal(bytes: Uint8Array, view: DataView, at: number, entry: ZipEntry): number {
  if (entry.deflatedLength >= U32_MAX || entry.plainLength >= U32_MAX) {
    throw new Error('bug: a single document of 4 GiB or more');
  }
  view.setUint32(at, 0x04034b50, true);
  view.setUint16(at + 4, VERSION_PLAIN, true);
  common(view, at + 6, entry);
  const length = writeName(bytes, at + LOCAL_HEADER_LENGTH, entry.name);
  view.setUint16(at + 26, length, true);
  return at + LOCAL_HEADER_LENGTH + length;
}

/** Length of an entry's central record, which is longer if the entry starts beyond 4 GiB. */
export function centralLength(name: string, offset: number): number {
  return CENTRAL_RECORD_LENGTH + nameLength(name) + (offset >= U32_MAX ? 12 : 0);
}

/** Writes the record and returns the position after it. `view` covers all of `bytes`, which are zeros. */
export function writeCentral(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  entry: ZipEntry,
  offset: number,
): number {
  const far = offset >= U32_MAX;
  view.setUint32(at, 0x02014b50, true);
  view.setUint16(at + 4, VERSION_ZIP64, true);
  view.setUint16(at + 6, far ? VERSION_ZIP64 : VERSION_PLAIN, true);
  common(view, at + 8, entry);
  const length = writeName(bytes, at + CENTRAL_RECORD_LENGTH, entry.name);
  view.setUint16(at + 28, length, true);
  view.setUint16(at + 30, far ? 12 : 0, true);
  view.setUint32(at + 42, far ? U32_MAX : offset, true);
  const end = at + CENTRAL_RECORD_LENGTH + length;
  if (!far) return end;
  view.setUint16(end, 0x0001, true);
  view.setUint16(end + 2, 8, true);
  view.setBigUint64(end + 4, BigInt(offset), true);
  return end + 12;
}

/** Writes the end of the central directory, after its Zip64 form if a number does not fit. */
export function endOfDirectory(count: number, directoryAt: number, directoryLength: number): Uint8Array {
  const large = count >= U16_MAX || directoryAt >= U32_MAX || directoryLength >= U32_MAX;
  const bytes = new Uint8Array((large ? 76 : 0) + 22);
  const view = new DataView(bytes.buffer);
  let at = 0;
  if (large) {
    view.setUint32(0, 0x06064b50, true);
    view.setBigUint64(4, 44n, true);
    view.setUint16(12, VERSION_ZIP64, true);
    view.setUint16(14, VERSION_ZIP64, true);
    view.setBigUint64(24, BigInt(count), true);
    view.setBigUint64(32, BigInt(count), true);
    view.setBigUint64(40, BigInt(directoryLength), true);
    view.setBigUint64(48, BigInt(directoryAt), true);
    view.setUint32(56, 0x07064b50, true);
    view.setBigUint64(64, BigInt(directoryAt + directoryLength), true);
    view.setUint32(72, 1, true);
    at = 76;
  }
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, Math.min(count, U16_MAX), true);
  view.setUint16(at + 10, Math.min(count, U16_MAX), true);
  view.setUint32(at + 12, Math.min(directoryLength, U32_MAX), true);
  view.setUint32(at + 16, Math.min(directoryAt, U32_MAX), true);
  return bytes;
}

function common(view: DataView, at: number, entry: ZipEntry): void {
  view.setUint16(at, UTF8_NAMES, true);
  view.setUint16(at + 2, DEFLATED, true);
  view.setUint16(at + 6, DOS_DATE_1980, true);
  view.setUint32(at + 8, entry.crc32, true);
  view.setUint32(at + 12, entry.deflatedLength, true);
  view.setUint32(at + 16, entry.plainLength, true);
}
