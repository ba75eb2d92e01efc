import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

const READ_BYTES = 1 << 18;

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * The bytes of a rows file, as often as they are asked for. What can be read only once (`-`, which is standard input, or a
 * pipe) is kept: it is bounded by the limit on the bytes of rows.
 */
export async function rowBytes(file: string): Promise<() => Chunks> {
  const open = (): AsyncIterable<Buffer> =>
    file === '-' ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
  if (file !== '-' && (await stat(file)).isFile()) return open;
  const kept: Buffer[] = [];
  let complete = false;
  async function* keeping(): AsyncGenerator<Buffer> {
    for await (const chunk of open()) {
      kept.push(chunk);
      yield chunk;
    }
    complete = true;
  }
  return () => (complete ? kept : keeping());
}
