import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DamagedChunk } from '#lib/encryption/chunk-cipher.ts';
import { opened, sealing } from '#lib/encryption/chunk-stream.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { BlobMissing } from '#storage/blobs/blob-store.ts';
import type { ExportCipher } from './export-cipher.ts';

/** The blobs of an export that is encrypted with a passphrase. */
export class ExportedBlobs {
  readonly #root: string;
  readonly #cipher: ExportCipher;

  constructor(root: string, cipher: ExportCipher) {
    this.#root = root;
    this.#cipher = cipher;
  }

  async write(blob: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { name, path } = this.#at(blob);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = createWriteStream(path, { mode: 0o600, flush: true });
    await pipeline(bytes, sealing(this.#cipher.of(`blobs/${name}`)), file);
  }

  async *read(blob: string): AsyncGenerator<Uint8Array> {
    const { name, path } = this.#at(blob);
    try {
      yield* opened(this.#cipher.of(`blobs/${name}`), createReadStream(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BlobMissing(blob);
      throw error instanceof DamagedChunk ? new OperatorError(`${path} is damaged or cut short.`) : error;
    }
  }

  #at(blob: string): { readonly name: string; readonly path: string } {
    const name = this.#cipher.blobName(blob);
    return { name, path: join(this.#root, name.slice(0, 2), name) };
  }
}
