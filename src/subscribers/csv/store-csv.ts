import type { Blobs } from '#engine/blobs.ts';
import { type CsvIndex, CsvIndexer, type CsvLimits } from './csv-indexer.ts';
import { CsvRefused } from './csv-refused.ts';

/** The stored rows of an import: a blob of UTF-8 text, and its slices. */
export interface CsvSource extends CsvIndex {
  readonly digest: string;
  readonly bytes: number;
}

/** Decodes a CSV into the blob store and indexes it at the same time. A rejected file leaves nothing behind. */
export async function storeCsv(
  blobs: Pick<Blobs, 'put'>,
  accountId: string,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, maxRows }: CsvLimits,
): Promise<CsvSource> {
  const indexer = new CsvIndexer({ maxRows });
  let received = 0;
  let stored = 0;
  const encoded = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    stored += bytes.length;
    if (Math.max(received, stored) > maxBytes)
      throw new CsvRefused('csv_too_large', `The CSV is larger than ${maxBytes} bytes.`);
    return bytes;
  };
  let index: CsvIndex | undefined;
  const { digest, size } = await blobs.put(
    accountId,
    (async function* () {
      for await (const chunk of chunks) {
        received += chunk.length;
        yield encoded(indexer.push(chunk));
      }
      yield encoded(indexer.end());
      index = indexer.index();
    })(),
  );
  if (index === undefined) throw new Error('bug: a CSV was stored without being read to its end');
  return { digest, bytes: size, ...index };
}
