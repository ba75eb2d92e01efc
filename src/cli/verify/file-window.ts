import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/** Bytes that are read at once. The parts of an archive follow each other, so one read serves many of them. */
const WINDOW_BYTES = 1 << 20;

/** Reads a file at any position, through a window that moves over it. */
export class FileWindow {
  readonly #file: FileHandle;
  #buffer = Buffer.allocUnsafe(WINDOW_BYTES);
  #start = 0;
  #length = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Returns bytes that are valid until the next call. Throws if the file ends before them. */
  async read(position: number, length: number): Promise<Buffer> {
    const at = position - this.#start;
    if (at >= 0 && at + length <= this.#length) return this.#buffer.subarray(at, at + length);
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length);
    this.#length = 0;
    const { bytesRead } = await this.#file.read(this.#buffer, 0, this.#buffer.length, position);
    if (bytesRead < length) throw new Error('the file is too short');
    this.#start = position;
    this.#length = bytesRead;
    return this.#buffer.subarray(0, length);
  }
}

/** Lets yauzl read through a window. Otherwise it makes two system calls for each entry of the directory. */
export class WindowedReader extends RandomAccessReader {
  readonly #path: string;
  readonly #window: FileWindow;

  constructor(path: string, file: FileHandle) {
    super();
    this.#path = path;
    this.#window = new FileWindow(file);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.#path, { start, end: end - 1 });
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#window.read(position, length).then((bytes) => {
      bytes.copy(target, offset);
      callback(null);
    }, callback);
  }
}
