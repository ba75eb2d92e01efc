import { statfs } from 'node:fs/promises';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';

/** Bytes available to this user and total bytes of the file system that holds a directory. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export type MeasureDisk = (directory: string) => Promise<DiskSpace>;

export const measureDisk: MeasureDisk = async (directory) => {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** How long a measurement is reused. */
const FRESH_MS = 1_000;
/** A body is checked again after this many bytes. */
const STRIDE_BYTES = 8_000_000;

/**
 * Tracks the free space of the directories that this server writes to. Below the floor the server rejects new work; the
 * remaining space is for running jobs and the database.
 */
export class FreeSpace {
  readonly floorBytes: number;
  readonly #directories: readonly string[];
  readonly #measure: MeasureDisk;
  #measured: { readonly at: number; readonly free: Promise<number | undefined> } | undefined;

  constructor(directories: readonly string[], floorBytes: number, measure: MeasureDisk = measureDisk) {
    this.#directories = [...new Set(directories)];
    this.floorBytes = floorBytes;
    this.#measure = measure;
  }

  /** Returns the lowest value of all directories, or undefined if none can be measured. */
  freeBytes(): Promise<number | undefined> {
    const now = performance.now();
    if (this.#measured === undefined || now - this.#measured.at >= FRESH_MS)
      this.#measured = { at: now, free: this.#read() };
    return this.#measured.free;
  }

  /** Says what is wrong if the free space is below the floor. */
  async problem(): Promise<string | undefined> {
    if (this.floorBytes === 0) return undefined;
    const free = await this.freeBytes();
    if (free === undefined || free >= this.floorBytes) return undefined;
    return `${free} free bytes; ROWPRESS_MIN_FREE_BYTES is ${this.floorBytes}`;
  }

  /** Throws a SurroundingsError if the free space is below the floor. */
  async check(): Promise<void> {
    const problem = await this.problem();
    if (problem !== undefined) throw new SurroundingsError('storageFull', `the disk has ${problem}`);
  }

  /** Passes bytes through while the free space is above the floor. */
  async *guarded<T extends Uint8Array>(bytes: AsyncIterable<T>): AsyncGenerator<T> {
    let left = 0;
    for await (const chunk of bytes) {
      if (left <= 0) {
        await this.check();
        left = STRIDE_BYTES;
      }
      left -= chunk.length;
      yield chunk;
    }
  }

  async #read(): Promise<number | undefined> {
    const measured = await Promise.allSettled(this.#directories.map((directory) => this.#measure(directory)));
    const free = measured.flatMap((space) => (space.status === 'fulfilled' ? [space.value.freeBytes] : []));
    return free.length === 0 ? undefined : Math.min(...free);
  }
}
