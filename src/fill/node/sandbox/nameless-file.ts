import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A read-only file without a name, which nobody else can open or replace. Linux only. */
export class NamelessFile {
  readonly #fd: number;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** undefined: there is no folder to make it in. */
  static make(bytes: Buffer): NamelessFile | undefined {
    try {
      const folder = mkdtempSync(path.join(tmpdir(), 'rowpress-'));
      try {
        const fd = openSync(path.join(folder, 'file'), 'wx+', 0o600);
        writeSync(fd, bytes);
        return new NamelessFile(fd);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    } catch {
      return undefined;
    }
  }

  /** A new descriptor at the start of the file: an inherited one shares its position with the process that reads it. */
  open(): number {
    return openSync(`/proc/self/fd/${this.#fd}`, 'r');
  }
}
