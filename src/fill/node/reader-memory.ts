import { memoryLimitBytes } from '#lib/memory-limit.ts';

/** With less memory, a reader cannot load its modules. */
const LEAST_BYTES = 192_000_000;
/** The memory limit of a PDF reader on a machine that has enough. */
const USUAL_BYTES = 512_000_000;

/** A reader may use at most half of the machine's memory. The server and the database need the other half. */
export function readerShare(memoryBytes: number = memoryLimitBytes()): number {
  return Math.max(LEAST_BYTES, Math.floor(memoryBytes / 2));
}

/** The number of concurrent readers: as many as fit into half of the memory, at most `places`. */
export function readersAtOnce(places: number, memoryBytes: number = memoryLimitBytes()): number {
  return Math.max(1, Math.min(places, Math.floor(memoryBytes / 2 / USUAL_BYTES)));
}
