import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { CommandRefusal } from './answer.ts';

export type ReadFile =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | ({ readonly ok: false } & CommandRefusal);

/** Reads an input file. A missing file is an error in the command line, not in the data. */
export async function readInput(path: string): Promise<ReadFile> {
  try {
    return { ok: true, bytes: await readFile(path) };
  } catch (error) {
    return { ok: false, code: 'USAGE', message: `${path} cannot be read: ${reason(error)}` };
  }
}

/**
 * Writes a temporary file beside the target, syncs and renames it, so that a partial file is never visible. `-` is
 * standard output. Devices and pipes are written directly, never replaced.
 */
export async function writeOutput(path: string, bytes: Uint8Array): Promise<CommandRefusal | null> {
  if (path === '-') {
    process.stdout.write(bytes);
    return null;
  }
  // A symbolic link stays; its target is replaced.
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

/** Describes a system error. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const known: Record<string, string> = {
    ENOENT: 'no such file or folder',
    EISDIR: 'it is a folder',
    ENOTDIR: 'part of its path is not a folder',
    EACCES: 'permission denied',
    EPERM: 'operation not permitted',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  };
  return known[String(code)] ?? (error instanceof Error ? error.message : String(error));
}
