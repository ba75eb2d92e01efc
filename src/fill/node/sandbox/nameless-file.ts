import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A read-only file without a name, which no other process can open or replace. Linux only. */
export class NamelessFile {
  readonly #fd: number;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** Returns undefined if there is no folder for it. */
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

  /** Opens a new descriptor at the start of the file. An inherited one would share its position with other readers. */
  open(): number {
    return openSync(`/proc/self/fd/${this.#fd}`, 'r');
  }
}
