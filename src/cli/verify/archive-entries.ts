import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
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

export const nameOf = (entry: Entry): string =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);

/** Reads the bytes of an entry. Throws if they are damaged: yauzl checks their number, this their CRC-32. */
export async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    sum = crc32(chunk as Buffer, sum);
    yield chunk as Buffer;
  }
  if (sum !== entry.crc32) throw new Error('its checksum differs');
}
