import type { Blobs } from '#engine/blobs.ts';
import { type CsvIndex, CsvIndexer, type CsvLimits } from './csv-indexer.ts';
import { CsvRefused } from './csv-refused.ts';

/** Where the rows of an import are: a blob of plain UTF-8 text, and how it was cut. */
export interface CsvSource extends CsvIndex {
  readonly digest: string;
  readonly bytes: number;
}

/** Writes the text to the blob store while it is being indexed; a refused file leaves nothing behind. */
export async function storeCsv(
  blobs: Blobs,
  accountId: string,
  text: AsyncIterable<string>,
  limits: CsvLimits,
): Promise<CsvSource> {
  const indexer = new CsvIndexer(limits);
  let index: CsvIndex | undefined;
  const { digest, size } = await blobs.put(
    accountId,
    (async function* () {
      let bytes = 0;
      for await (const part of text) {
        const encoded = Buffer.from(part);
        bytes += encoded.length;
        if (bytes > limits.maxBytes)
          throw new CsvRefused('csv_too_large', `The CSV is larger than ${limits.maxBytes} bytes.`);
        indexer.push(part);
        yield encoded;
      }
      index = indexer.finish();
    })(),
  );
  if (index === undefined) throw new Error('bug: a CSV was stored without being read to its end');
  return { digest, bytes: size, ...index };
}
