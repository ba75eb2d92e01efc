/**
 * ZIP records (APPNOTE 6.3: 4.3.7, 4.3.12, 4.3.14–16, 4.5.3). Every entry is deflated, sizes are known before the
 * entry is written, times are always 1980-01-01 00:00, names are UTF-8: nothing depends on when or where.
 */
export interface ZipEntry {
  readonly name: Uint8Array;
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

export const LOCAL_HEADER_LENGTH = 30;

export function localHeader(entry: ZipEntry): Uint8Array {
  const bytes = new Uint8Array(LOCAL_HEADER_LENGTH + entry.name.length);
  writeLocal(bytes, new DataView(bytes.buffer), 0, entry);
  return bytes;
}

/** Gives the place after the header. `view` is of all of `bytes`. */
export function writeLocal(bytes: Uint8Array, view: DataView, at: number, entry: ZipEntry): number {
  if (entry.deflatedLength >= U32_MAX || entry.plainLength >= U32_MAX) {
    throw new Error('bug: a single document of 4 GiB or more');
  }
  view.setUint32(at, 0x04034b50, true);
  view.setUint16(at + 4, VERSION_PLAIN, true);
  common(view, at + 6, entry);
  view.setUint16(at + 26, entry.name.length, true);
  bytes.set(entry.name, at + LOCAL_HEADER_LENGTH);
  return at + LOCAL_HEADER_LENGTH + entry.name.length;
}

/** Length of an entry's central record; it grows when the entry begins beyond 4 GiB. */
export function centralLength(entry: Pick<ZipEntry, 'name'>, offset: number): number {
  return 46 + entry.name.length + (offset >= U32_MAX ? 12 : 0);
}

export function writeCentral(bytes: Uint8Array, at: number, entry: ZipEntry, offset: number): number {
  const far = offset >= U32_MAX;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, VERSION_ZIP64, true);
  view.setUint16(6, far ? VERSION_ZIP64 : VERSION_PLAIN, true);
  common(view, 8, entry);
  view.setUint16(28, entry.name.length, true);
  view.setUint16(30, far ? 12 : 0, true);
  view.setUint32(42, far ? U32_MAX : offset, true);
  bytes.set(entry.name, at + 46);
  const end = 46 + entry.name.length;
  if (!far) return at + end;
  view.setUint16(end, 0x0001, true);
  view.setUint16(end + 2, 8, true);
  view.setBigUint64(end + 4, BigInt(offset), true);
  return at + end + 12;
}

/** End of central directory, with its Zip64 form before it where a number does not fit. */
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
