import { type ByteStream, chunksOf, type Opened, openSource, type Source } from './source.ts';
import type { Call } from './transport.ts';

type Streamed = Iterable<unknown> | AsyncIterable<unknown> | ReadableStream<unknown>;

/**
 * Items of a bulk load: an array, an iterable or a stream of items, a stream of NDJSON text or bytes, or a source of bytes
 * (a path, Blob or bytes). A function is called once per attempt; an iterable that can be read only once is kept in memory
 * for a retry.
 */
export type Items = Streamed | Source | (() => Streamed | Promise<Streamed>);

const NDJSON = 'application/x-ndjson';
const BATCH_CHARACTERS = 64 * 1024;
const utf8 = new TextEncoder();

export async function itemsBody(
  items: Items,
  contentType = typeOf(items),
): Promise<NonNullable<Call['body']>> {
  const type = contentType;
  if (typeof items === 'function')
    return { type, source: lines(() => items() as Streamed | Promise<Streamed>) };
  if (isSource(items)) return { type, source: await openSource(items) };
  if (Array.isArray(items)) return { type, source: lines(() => items) };
  return { type, source: kept(items as Streamed) };
}

function isSource(items: unknown): items is Source {
  return (
    typeof items === 'string' ||
    items instanceof URL ||
    items instanceof Blob ||
    items instanceof Uint8Array ||
    items instanceof ArrayBuffer
  );
}

function typeOf(items: Items): string {
  const name = typeof items === 'string' ? items : items instanceof URL ? items.pathname : '';
  if (name.endsWith('.json')) return 'application/json';
  return name.endsWith('.csv') ? 'text/csv' : NDJSON;
}

function lines(open: () => Streamed | Promise<Streamed>): Opened {
  const encoded = () => encode(open());
  return { size: undefined, open: encoded, blob: () => blobOf(encoded()) };
}

/** Keeps what was read, so that another attempt starts with the same bytes. */
function kept(items: Streamed): Opened {
  const source = encode(items);
  const chunks: Uint8Array[] = [];
  let ended = false;
  let reading: Promise<void> | undefined;
  // An attempt that was given up may still be reading: its chunk must not be lost to the next one.
  const readNext = () => {
    reading ??= source
      .next()
      .then(({ done, value }) => {
        if (done === true) ended = true;
        else chunks.push(value);
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const open = async function* () {
    for (let at = 0; ; at += 1) {
      while (chunks.length <= at && !ended) await readNext();
      const chunk = chunks[at];
      if (chunk === undefined) return;
      yield chunk;
    }
  };
  return { size: undefined, open, blob: () => blobOf(open()) };
}

/** Encodes items as NDJSON in batches. Text and bytes are NDJSON already. */
async function* encode(items: Streamed | Promise<Streamed>): AsyncGenerator<Uint8Array> {
  const opened = await items;
  let batch = '';
  for await (const item of 'getReader' in opened ? chunksOf(opened as ByteStream) : opened) {
    if (typeof item === 'string') batch += item;
    else if (item instanceof Uint8Array) {
      if (batch !== '') yield utf8.encode(batch);
      batch = '';
      yield item;
    } else batch += `${JSON.stringify(item)}\n`;
    if (batch.length < BATCH_CHARACTERS) continue;
    yield utf8.encode(batch);
    batch = '';
  }
  if (batch !== '') yield utf8.encode(batch);
}

async function blobOf(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  return (await openSource(() => chunks)).blob();
}
