import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { CommandRefusal } from './answer.ts';

export type ReadFile =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | ({ readonly ok: false } & CommandRefusal);

/** A file that is not there is a mistake in the command, not in the data. */
export async function readInput(path: string): Promise<ReadFile> {
  try {
    return { ok: true, bytes: await readFile(path) };
  } catch (error) {
    return { ok: false, code: 'USAGE', message: `${path} cannot be read: ${reason(error)}` };
  }
}

/**
 * Writes beside the target, syncs, renames: nobody ever sees half a file. `-` is standard output; devices and pipes are
 * written to, never replaced.
 */
export async function writeOutput(path: string, bytes: Uint8Array): Promise<CommandRefusal | null> {
  if (path === '-') {
    process.stdout.write(bytes);
    return null;
  }
  // A link stays one: what it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.part-${process.pid}`;
  try {
    const existing = await stat(target).catch(() => null);
    if (existing !== null && !existing.isFile() && !existing.isDirectory()) {
      await writeFile(target, bytes);
      return null;
    }
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    return null;
  } catch (error) {
    await rm(temporary, { force: true });
    return { code: 'USAGE', message: `${path} cannot be written: ${reason(error)}` };
  }
}

/** Why the system refused, in words. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const known: Record<string, string> = {
    ENOENT: 'there is no such file or folder',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    EACCES: 'permission denied',
    EPERM: 'it is not permitted',
    EROFS: 'the file system cannot be written to',
    ENOSPC: 'the disk is full',
  };
  return known[String(code)] ?? (error instanceof Error ? error.message : String(error));
}
