import { memoryLimitBytes } from '#lib/memory-limit.ts';

/** Below this a reader could not even load its modules. */
const LEAST_BYTES = 192_000_000;
/** What a reader of PDFs may take where there is enough. */
const USUAL_BYTES = 512_000_000;

/** No reader takes more than half of the memory there is: the other half is the server's and the database's. */
export function readerShare(memoryBytes: number = memoryLimitBytes()): number {
  return Math.max(LEAST_BYTES, Math.floor(memoryBytes / 2));
}

/** How many readers run side by side: as many as usual ones fit into half of the memory, at most `places`. */
export function readersAtOnce(places: number, memoryBytes: number = memoryLimitBytes()): number {
  return Math.max(1, Math.min(places, Math.floor(memoryBytes / 2 / USUAL_BYTES)));
}
