import { fileSystem } from './platform.ts';

export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/**
 * Bytes to send: a path (Node, Deno, Bun), a Blob or File, bytes, or a function that returns a new stream. The function is
 * called once per attempt, because a stream can be read only once.
 */
export type Source =
  | string
  | URL
  | Blob
  | Uint8Array
  | ArrayBuffer
  | (() => ByteStream | Promise<ByteStream>);

/** A source that can be opened any number of times. */
export interface Opened {
  /** Undefined if only reading it tells. */
  readonly size: number | undefined;
  open(): AsyncIterable<Uint8Array>;
  /** The content as a Blob, for platforms that cannot send streams. */
  blob(): Promise<Blob>;
}

const CHUNK = 256 * 1024;

export async function openSource(source: Source): Promise<Opened> {
  if (typeof source === 'string' || source instanceof URL) return openPath(source);
  if (typeof source === 'function') {
    const open = () => chunksOf(source());
    return { size: undefined, open, blob: () => collect(open()) };
  }
  const blob = source instanceof Blob ? source : new Blob([source as Uint8Array<ArrayBuffer>]);
  return {
    size: blob.size,
    open: () => (source instanceof Uint8Array ? once(source) : chunksOf(blob.stream())),
    blob: async () => blob,
  };
}

async function openPath(path: string | URL): Promise<Opened> {
  const files = await fileSystem();
  const { size } = await files.stat(path);
  const open = async function* () {
    const file = await files.open(path, 'r');
    try {
      for (let at = 0; ; ) {
        const chunk = new Uint8Array(CHUNK);
        const { bytesRead } = await file.read(chunk, 0, CHUNK, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  };
  return { size, open, blob: () => collect(open()) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const utf8 = new TextEncoder();

/** Reads a stream of either kind. Not every browser can iterate a ReadableStream. */
export async function* chunksOf(stream: ByteStream | Promise<ByteStream>): AsyncGenerator<Uint8Array> {
  const opened = await stream;
  if ('getReader' in opened) {
    const reader = opened.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      // Also ends the work of the sender if this reader stops early.
      await reader.cancel().catch(() => {});
    }
  }
  for await (const chunk of opened as AsyncIterable<Uint8Array | string>)
    yield typeof chunk === 'string' ? utf8.encode(chunk) : chunk;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(parts);
}

export async function bytesOf(source: Opened): Promise<Uint8Array> {
  return new Uint8Array(await (await source.blob()).arrayBuffer());
}

/** A ReadableStream that reads `chunks` as they are requested. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Several sources one after the other, as one. */
export function joined(parts: readonly Opened[]): Opened {
  const sizes = parts.map(({ size }) => size);
  return {
    size: sizes.includes(undefined) ? undefined : (sizes as number[]).reduce((sum, size) => sum + size, 0),
    async *open() {
      for (const part of parts) yield* part.open();
    },
    async blob() {
      return new Blob(await Promise.all(parts.map((part) => part.blob())));
    },
  };
}
