import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

const READ_BYTES = 1 << 18;

export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * Returns a function that reads the bytes of a rows file, any number of times. A source that can be read only once
 * (`-`, which is standard input, or a pipe) is kept in memory; the limit on row bytes bounds it.
 */
export async function rowBytes(file: string): Promise<() => Chunks> {
  const open = (): AsyncIterable<Buffer> =>
    file === '-' ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
  if (file !== '-' && (await stat(file)).isFile()) return open;
  const source = open()[Symbol.asyncIterator]();
  const kept: Buffer[] = [];
  let complete = false;
  // A reader that stops early leaves the rest for the next one.
  async function* keeping(): AsyncGenerator<Buffer> {
    for (let at = 0; ; at += 1) {
      if (at === kept.length && !complete) {
        const { value, done } = await source.next();
        if (done === true) complete = true;
        else kept.push(value);
      }
      const chunk = kept[at];
      if (chunk === undefined) return;
      yield chunk;
    }
  }
  return () => (complete ? kept : keeping());
}
