import type { Readable } from 'node:stream';

const CHECK_MS = 250;

export class Stalled extends Error {}

/**
 * Yields `items`, which a parser makes from `source`, and throws `Stalled` when no more can come. On some inputs the form parser
 * waits forever (a part whose headers run into the boundary): it pauses the source, or has read all of it, and neither yields a part
 * nor ends. Only the event loop is between its input and its output, so two checks in that state are proof.
 */
export async function* unlessStalled<T>(items: AsyncIterable<T>, source: Readable): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const result = await nextItem(iterator, source);
    if (result.done === true) return;
    yield result.value;
  }
}

function nextItem<T>(iterator: AsyncIterator<T>, source: Readable): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    let suspected = false;
    const timer = setInterval(() => {
      const stuck = source.readableEnded || source.isPaused();
      if (stuck && suspected) {
        clearInterval(timer);
        reject(new Stalled());
      }
      suspected = stuck;
    }, CHECK_MS);
    iterator
      .next()
      .finally(() => clearInterval(timer))
      .then(resolve, reject);
  });
}
