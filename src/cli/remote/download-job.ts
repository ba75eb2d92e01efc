import type { Rowpress } from '#client/rowpress.ts';
import { CommandFailed } from '../command-failed.ts';
import { CliRefusal } from '../fill/cli-refusal.ts';
import { openOutput } from '../fill/output-file.ts';
import { withProgress } from './phase-progress.ts';

export interface DownloadedZip {
  readonly output: string;
  readonly bytes: number;
  readonly verified_rows: number | null;
}

export function downloaded({ bytes, verified_rows }: DownloadedZip): string {
  return `${bytes} bytes, ${verified_rows ?? 0} PDFs verified`;
}

/**
 * Downloads the ZIP of a job and checks every row against the manifest on the way. A file appears only when it is complete and
 * correct; a broken connection is continued where it broke.
 */
export async function downloadJob(client: Rowpress, jobId: string, target: string): Promise<DownloadedZip> {
  const output = await opened(target);
  try {
    const sink = new WritableStream<Uint8Array>({ write: (chunk) => output.write([chunk]) });
    const { bytes, verifiedRows } = await withProgress((onProgress) =>
      client.bulkfill.download(jobId, sink, { onProgress }),
    );
    await output.finish();
    return { output: target, bytes, verified_rows: verifiedRows ?? null };
  } catch (error) {
    await output.abandon();
    throw asFailure(error);
  }
}

/** Saves a stream to a file, which appears only when it is complete. */
export async function saveStream(stream: ReadableStream<Uint8Array>, target: string): Promise<void> {
  const output = await opened(target);
  try {
    await stream.pipeTo(new WritableStream<Uint8Array>({ write: (chunk) => output.write([chunk]) }));
    await output.finish();
  } catch (error) {
    await output.abandon();
    throw asFailure(error);
  }
}

async function opened(target: string) {
  try {
    return await openOutput(target);
  } catch (error) {
    throw asFailure(error);
  }
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof CliRefusal)) return error;
  return new CommandFailed(error.refusal.code as 'USAGE', error.message);
}
