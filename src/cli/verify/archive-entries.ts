import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  parseExtraFields,
  type ZipFile,
} from 'yauzl';
import { CommandFailed } from '../command-failed.ts';
import { WindowedReader } from './file-window.ts';

/** Opens an archive whose file is open already. Its entries can be read once, from the first. */
export async function openZip(path: string, file: FileHandle): Promise<ZipFile> {
  const { size } = await file.stat();
  try {
    return await fromRandomAccessReaderPromise(new WindowedReader(path, file), size, {
      decodeStrings: false,
      autoClose: false,
    });
  } catch {
    throw new CommandFailed('ARCHIVE_DAMAGED', `${path} is not a ZIP file, or it is cut short.`);
  }
}

/** The Info-ZIP field with a second name in UTF-8. Some readers prefer it, others ignore it. */
const UNICODE_PATH = 0x7075;

/** The name of an entry in the directory, without the names that its extra fields may have. */
export const nameOf = (entry: Entry): string =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, [], false);

/** Whether all readers see the same name, whichever of the places for it they read. `name` and `extra` are those of the local header. */
export function hasOneName(entry: Entry, name: Buffer, extra: Buffer): boolean {
  return (
    name.equals(entry.fileNameRaw) &&
    name.equals(Buffer.from(nameOf(entry))) &&
    ![...entry.extraFields, ...parseExtraFields(extra)].some(({ id }) => id === UNICODE_PATH)
  );
}

/** Reads the bytes of an entry. Throws if they are damaged: yauzl checks their number, this their CRC-32. */
export async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    sum = crc32(chunk as Buffer, sum);
    yield chunk as Buffer;
  }
  if (sum !== entry.crc32) throw new Error('its checksum differs');
}
