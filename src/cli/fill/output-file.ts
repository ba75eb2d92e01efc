import { once } from 'node:events';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { CliRefusal } from './cli-refusal.ts';

/**
 * Where a command's product goes. A regular file is written aside and renamed when it is complete, so a broken run
 * leaves no half archive under the wanted name. `-` is standard output; devices and pipes are written directly.
 */
export interface Output {
  write(chunks: readonly Uint8Array[]): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

export async function openOutput(target: string): Promise<Output> {
  if (target === '-') return standardOutput();
  const existing = await stat(target).catch(() => null);
  if (existing?.isDirectory()) throw new CliRefusal('USAGE', `${target} is a directory`, 2);
  const direct = existing !== null && !existing.isFile();
  const path = direct ? target : `${target}.${process.pid}.part`;
  let handle: FileHandle;
  try {
    handle = await open(path, 'w');
  } catch (error) {
    throw new CliRefusal('USAGE', `cannot write ${target}: ${(error as Error).message}`, 2);
  }
  return {
    write: (chunks) => writeAll(handle, chunks),
    finish: async () => {
      if (!direct) await handle.sync();
      await handle.close();
      if (!direct) await rename(path, target);
    },
    abandon: async () => {
      await handle.close();
      if (!direct) await rm(path, { force: true });
    },
  };
}

/** `writev` may stop short (a full pipe, a signal); what is left is written again. */
async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = [...chunks];
  while (rest.length > 0) {
    let { bytesWritten } = await handle.writev(rest);
    let whole = 0;
    for (; whole < rest.length && bytesWritten >= (rest[whole]?.length ?? 0); whole += 1) {
      bytesWritten -= rest[whole]?.length ?? 0;
    }
    rest = rest.slice(whole);
    const [first] = rest;
    if (first !== undefined && bytesWritten > 0) rest[0] = first.subarray(bytesWritten);
  }
}

function standardOutput(): Output {
  return {
    write: async (chunks) => {
      for (const chunk of chunks) if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    },
    finish: async () => undefined,
    abandon: async () => undefined,
  };
}
