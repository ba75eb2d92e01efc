import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { reason } from '../files.ts';
import { BackgroundFlush } from './background-flush.ts';
import { CliRefusal } from './cli-refusal.ts';
import { removeOnSignal } from './remove-on-signal.ts';
import { MOST_BYTES, writeAll } from './write-all.ts';

/**
 * The destination of a command's output. A regular file is written under a temporary name and renamed when it is
 * complete, so that a failed run leaves no partial archive. `-` is standard output. Devices and pipes are written
 * directly.
 */
export interface Output {
  write(chunks: readonly Uint8Array[]): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

export async function openOutput(target: string): Promise<Output> {
  if (target === '-') return standardOutput();
  // A symbolic link stays; its target is replaced.
  const file = await realpath(target).catch(() => target);
  const existing = await stat(file).catch(() => null);
  if (existing?.isDirectory()) throw new CliRefusal('USAGE', `${target} cannot be written: it is a folder`);
  const direct = existing !== null && !existing.isFile();
  const path = direct ? file : `${file}.${process.pid}.part`;
  let handle: FileHandle;
  try {
    handle = await open(path, 'w');
  } catch (error) {
    throw new CliRefusal('USAGE', `${target} cannot be written: ${reason(error)}`);
  }
  const forget = direct ? () => undefined : removeOnSignal(path);
  const flusher = new BackgroundFlush(handle);
  return {
    write: async (chunks) => {
      await writeAll(handle, chunks).catch((error: unknown) => broken(target, error));
      if (!direct) flusher.wrote(chunks);
    },
    finish: async () => {
      if (!direct) await flusher.finish().catch((error: unknown) => broken(target, error));
      await handle.close();
      if (!direct) await rename(path, file);
      forget();
    },
    abandon: async () => {
      await flusher.idle();
      await handle.close();
      if (!direct) await rm(path, { force: true });
      forget();
    },
  };
}

/**
 * Reports a failed write: a full disk, or a reader that closed the pipe. Neither the input nor the program is at fault.
 */
function broken(target: string, error: unknown): never {
  const closed = error instanceof Error && 'code' in error && error.code === 'EPIPE';
  const why = closed ? 'its reader closed it before the end' : reason(error);
  throw new CliRefusal('OUTPUT_FAILED', `${target} cannot be written: ${why}`);
}

function standardOutput(): Output {
  return {
    write: async (chunks) => {
      try {
        for (const chunk of chunks) {
          for (let at = 0; at < chunk.length; at += MOST_BYTES)
            await written(chunk.subarray(at, at + MOST_BYTES));
        }
      } catch (error) {
        broken('standard output', error);
      }
    },
    finish: async () => undefined,
    abandon: async () => undefined,
  };
}

function written(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
