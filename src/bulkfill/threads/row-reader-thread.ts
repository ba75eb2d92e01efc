/** A thread that reads row inputs into their normal form, one at a time. With `yields` it gives way to other work on a busy machine. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf, type ThreadFailure } from '#fill/node/threads/thread-failure.ts';
import { lowerThreadPriority } from '#lib/lower-priority.ts';
import { type NormalisedRows, normaliseRows, type RowSource } from '../rows/normalise-rows.ts';

export type RowAnswer = { readonly kind: 'read'; readonly rows: NormalisedRows } | ThreadFailure;

if ((workerData as { yields?: boolean } | null)?.yields === true) lowerThreadPriority();

parentPort?.on('message', async (source: RowSource) => {
  let answer: RowAnswer;
  try {
    answer = { kind: 'read', rows: await normaliseRows(source) };
  } catch (error) {
    answer = failureOf(error);
  }
  parentPort?.postMessage(answer);
});
