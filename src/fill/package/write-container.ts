import type { Codec } from '../codec.ts';

/**
 * The `.doqlo` container: a ZIP file (APPNOTE 6.3) in one fixed form. Entries are stored without compression, sorted by
 * name, dated 1980-01-01, with no extra field, comment or data descriptor: names and contents determine every byte. The
 * reader can therefore refuse any other form of the same content by writing it again and comparing (open-package.ts). The form
 * is fixed by the seal's version, so a new release of a library cannot change it.
 */
export type ContainerEntries = ReadonlyMap<string, Uint8Array>;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
/** 1980-01-01 in DOS format, the first day that it can represent. */
const DOS_DATE = 0x0021;
const VERSION_NEEDED = 10;

export function writeContainer(entries: ContainerEntries, codec: Pick<Codec, 'crc32'>): Uint8Array {
  const encoder = new TextEncoder();
  const files = [...entries.keys()].sort().map((name) => {
    const data = entries.get(name) ?? new Uint8Array(0);
    return { name: encoder.encode(name), data, crc: codec.crc32(data) };
  });
  const namesSize = files.reduce((sum, file) => sum + file.name.length, 0);
  const dataSize = files.reduce((sum, file) => sum + file.data.length, 0);
  const bytes = new Uint8Array(22 + files.length * (30 + 46) + 2 * namesSize + dataSize);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const u16 = (value: number) => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const u32 = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const raw = (value: Uint8Array) => {
    bytes.set(value, at);
    at += value.length;
  };
  const common = (file: (typeof files)[number]) => {
    u16(VERSION_NEEDED);
    u16(0); // flags: names are ASCII, nothing is encrypted
    u16(0); // method: stored
    u16(0); // time
    u16(DOS_DATE);
    u32(file.crc);
    u32(file.data.length);
    u32(file.data.length);
    u16(file.name.length);
    u16(0); // extra field
  };

  const offsets = files.map((file) => {
    const offset = at;
    u32(LOCAL_HEADER);
    common(file);
    raw(file.name);
    raw(file.data);
    return offset;
  });
  const directory = at;
  files.forEach((file, index) => {
    u32(CENTRAL_HEADER);
    u16(VERSION_NEEDED); // made by
    common(file);
    u16(0); // comment
    u16(0); // disk
    u16(0); // internal attributes
    u32(0); // external attributes
    u32(offsets[index] ?? 0);
    raw(file.name);
  });
  const directorySize = at - directory;
  u32(END_RECORD);
  u16(0);
  u16(0);
  u16(files.length);
  u16(files.length);
  u32(directorySize);
  u32(directory);
  u16(0);
  return bytes;
}
