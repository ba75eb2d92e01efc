import { writeSync } from 'node:fs';

/** Writes all bytes to standard output. */
export function writeOutput(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      // The pipe is full: try again until the parent has read from it.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
