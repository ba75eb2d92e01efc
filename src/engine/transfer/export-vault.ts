import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Transform, Writable } from 'node:stream';
import { DamagedChunk } from '#lib/encryption/chunk-cipher.ts';
import { opened, opening, sealed, sealing } from '#lib/encryption/chunk-stream.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { ExportCipher } from './export-cipher.ts';

/** The files of an export by their path inside it: plain, or encrypted with the suffix `.enc`. */
export class ExportVault {
  readonly directory: string;
  readonly cipher: ExportCipher | undefined;

  constructor(directory: string, cipher: ExportCipher | undefined) {
    this.directory = directory;
    this.cipher = cipher;
  }

  pathOf(name: string): string {
    return join(this.directory, this.cipher === undefined ? name : `${name}.enc`);
  }

  /** Returns the streams that write a file: the cipher, if any, then the file. */
  sink(name: string): [...Transform[], Writable] {
    const file = createWriteStream(this.pathOf(name), { mode: 0o600, flush: true });
    return this.cipher === undefined ? [file] : [sealing(this.cipher.of(name)), file];
  }

  source(name: string): [Readable, ...Transform[]] {
    const file = createReadStream(this.pathOf(name));
    return this.cipher === undefined ? [file] : [file, opening(this.cipher.of(name))];
  }

  /** Writes a file atomically. */
  async write(name: string, content: Uint8Array): Promise<void> {
    const path = this.pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(`${path}.tmp`, 'w', 0o600);
    try {
      if (this.cipher === undefined) await file.writeFile(content);
      else for await (const part of sealed(this.cipher.of(name), once(content))) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.tmp`, path);
  }

  async read(name: string): Promise<Buffer> {
    const bytes = await readFile(this.pathOf(name));
    if (this.cipher === undefined) return bytes;
    const parts: Buffer[] = [];
    try {
      for await (const part of opened(this.cipher.of(name), once(bytes))) parts.push(part);
    } catch (error) {
      throw this.complaint(name, error);
    }
    return Buffer.concat(parts);
  }

  /** Converts a cipher error to an OperatorError; returns other errors unchanged. */
  complaint(name: string, error: unknown): unknown {
    return error instanceof DamagedChunk
      ? new OperatorError(`${this.pathOf(name)} is damaged or cut short.`)
      : error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
