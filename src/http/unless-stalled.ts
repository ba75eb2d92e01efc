import type { Readable } from 'node:stream';

const CHECK_MS = 250;

export class Stalled extends Error {}

/**
 * The items of `items`, which a parser makes from `source`, or `Stalled` when no more can come. The form
 * parser has inputs on which it waits for ever (a part whose headers run into the boundary): it holds the
 * source back, or has read all of it, and yet neither gives a part nor ends. Nothing but the event loop
 * stands between its input and its output, so two checks in that state are proof.
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
