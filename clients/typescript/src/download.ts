import { fileSystem } from './platform.ts';
import type { OnProgress, ProgressOptions } from './progress.ts';
import { RowpressError } from './rowpress-error.ts';
import { streamOf } from './source.ts';
import type { Call, OpenResponse, Transport } from './transport.ts';

export interface DownloadOptions extends ProgressOptions {
  /** Check every file of a ZIP against the SHA-256 in its manifest, or a merged PDF against its own; true by default. */
  readonly verify?: boolean | undefined;
  /** Require a signature of the manifest by one of these public seal keys (64 hex digits each); needs `verify`. */
  readonly signedBy?: readonly string[] | undefined;
}

export interface Downloaded {
  readonly bytes: number;
  /** Row PDFs whose SHA-256 was checked; undefined if nothing was checked. */
  readonly verifiedRows?: number | undefined;
}

/** Receives the bytes of a download in order. */
export interface Check {
  /** Receives the ETag before the first chunk. */
  begin?(etag: string | null): void;
  push(chunk: Uint8Array): Promise<void>;
  /** Throws if something did not match. Returns the number of checked files of an archive. */
  finish(): Promise<number | undefined>;
}

/** A file as chunks, in order and each byte once, however often the connection breaks. */
export interface Resumable {
  readonly etag: string | null;
  readonly totalBytes: number | undefined;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/**
 * Opens a download. If the connection breaks, it continues with a range request for the same ETag. A server that does not
 * support ranges sends the file again; what was delivered already is skipped then, if the ETag proves that it is the same file.
 */
export async function openDownload(transport: Transport, call: Call): Promise<Resumable> {
  const open = (headers: Record<string, string>) =>
    transport.withRetries(call, () => transport.open({ ...call, headers: { accept: '*/*', ...headers } }));
  const first = await open({});
  const etag = first.headers.get('etag');
  const length = first.headers.get('content-length');
  const totalBytes = length === null ? undefined : Number(length);
  return { etag, totalBytes, chunks: resume(transport, call, first, etag, totalBytes, open) };
}

async function* resume(
  transport: Transport,
  call: Call,
  first: OpenResponse,
  etag: string | null,
  totalBytes: number | undefined,
  open: (headers: Record<string, string>) => Promise<OpenResponse>,
): AsyncGenerator<Uint8Array> {
  let response = first;
  let at = 0;
  // Attempts since the last byte: a connection that breaks often but delivers is still worth continuing.
  for (let attempt = 0; ; attempt += 1) {
    try {
      let skip = at - startOf(response);
      for await (const chunk of response.chunks) {
        const kept = skip > 0 ? chunk.subarray(Math.min(skip, chunk.length)) : chunk;
        skip -= chunk.length - kept.length;
        if (kept.length === 0) continue;
        at += kept.length;
        attempt = 0;
        yield kept;
      }
      if (totalBytes === undefined || at === totalBytes) return;
      throw broken(`The download ended after ${at} of ${totalBytes} bytes.`);
    } catch (error) {
      if (etag === null || !transport.mayRetry(call, error) || attempt >= transport.retries) throw error;
      await transport.rest(attempt, error, call.signal);
    }
    if (at === totalBytes) return;
    response = await open({ range: `bytes=${at}-`, 'if-range': etag });
    const same = response.headers.get('etag') === etag && startOf(response) <= at;
    if (!same) {
      await response.chunks.return(undefined);
      throw new RowpressError('The file changed during the download. Start it again.', {
        code: 'DOWNLOAD_CHANGED',
        status: response.status,
        retry: 'no',
      });
    }
  }
}

/** The position of a response's first byte in the file. */
function startOf({ status, headers }: OpenResponse): number {
  return status === 206
    ? Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
    : 0;
}

const broken = (message: string) =>
  new RowpressError(message, { code: 'CONNECTION_FAILED', status: 0, retry: 'same-key' });

/** Passes chunks on, reports progress and checks them. The check ends before the last chunk is passed on. */
async function* watched(
  { etag, chunks, totalBytes }: Resumable,
  onProgress: OnProgress | undefined,
  check: Check | undefined,
  done: (result: Downloaded) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let held: Uint8Array | undefined;
  check?.begin?.(etag);
  for await (const chunk of chunks) {
    await check?.push(chunk);
    if (held !== undefined) yield held;
    held = chunk;
    bytes += chunk.length;
    onProgress?.({ phase: 'download', bytes, totalBytes });
  }
  const verifiedRows = await check?.finish();
  if (held !== undefined) yield held;
  done({ bytes, ...(verifiedRows !== undefined && { verifiedRows }) });
}

/** A stream that fails before its last chunk if the file does not match its checksums. */
export async function downloadStream(
  transport: Transport,
  call: Call,
  options: DownloadOptions,
  check: Check | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const opened = await openDownload(transport, call);
  return streamOf(watched(opened, options.onProgress, check, () => {}));
}

/** Downloads to a path (Node, Deno, Bun) or into a stream. A path has its old content until the download is complete. */
export async function downloadTo(
  transport: Transport,
  call: Call,
  destination: string | URL | WritableStream<Uint8Array>,
  options: DownloadOptions,
  check: Check | undefined,
): Promise<Downloaded> {
  let result: Downloaded = { bytes: 0 };
  const open = async () =>
    watched(await openDownload(transport, call), options.onProgress, check, (done) => {
      result = done;
    });
  if (typeof destination === 'string' || destination instanceof URL) {
    const files = await fileSystem();
    await writeFile(files, pathOf(destination), open);
  } else await streamOf(await open()).pipeTo(destination);
  return result;
}

async function writeFile(
  files: Awaited<ReturnType<typeof fileSystem>>,
  path: string,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  const part = `${path}.part`;
  const file = await files.open(part, 'w');
  try {
    for await (const chunk of await open())
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk.subarray(at))).bytesWritten;
    await file.sync();
  } catch (error) {
    await file.close();
    await files.rm(part, { force: true });
    throw error;
  }
  await file.close();
  await files.rename(part, path);
}

const pathOf = (path: string | URL): string =>
  typeof path === 'string' ? path : decodeURIComponent(path.pathname.replace(/^\/(?=[A-Za-z]:)/, ''));
