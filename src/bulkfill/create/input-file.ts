import { readFile } from 'node:fs/promises';
import type { BlobKeeper } from '#engine/blob-keeper.ts';
import type { StoredFile } from '#storage/projects.ts';
import { refuse } from '../errors.ts';
import type { FilePart } from './read-form.ts';

/** A source PDF or a package: uploaded with the request, or stored in a project. */
export interface InputFile {
  /** SHA-256 of the content. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** As the client wrote it; never used as a path. */
  readonly fileName: string | undefined;
  read(): Promise<Buffer>;
  /** Stores the file, or keeps the stored one for another hour. Returns the name of its blob. */
  keep(): Promise<string>;
}

export type Upload = Pick<FilePart, 'file' | 'sha256' | 'sizeBytes' | 'fileName'>;

export function uploadedFile(blobs: BlobKeeper, accountId: string, part: Upload): InputFile {
  const { sha256, sizeBytes, fileName } = part;
  let kept: string | undefined;
  return {
    sha256,
    sizeBytes,
    fileName,
    read: () => (kept === undefined ? readFile(part.file.path) : blobs.readAll(kept)),
    keep: async () => {
      kept ??= (await blobs.keep(accountId, part.file)).digest;
      return kept;
    },
  };
}

/** A file of a project. The project can be deleted while the request runs; `keep` then reports that it is gone. */
export function storedFile(
  blobs: Pick<BlobKeeper, 'readAll' | 'touch'>,
  { blob, sha256, sizeBytes }: StoredFile,
): InputFile {
  return {
    sha256,
    sizeBytes,
    fileName: undefined,
    read: () => blobs.readAll(blob),
    keep: async () => {
      if (await blobs.touch(blob)) return blob;
      throw refuse('PROJECT_NOT_FOUND', 'The project was deleted.');
    },
  };
}
