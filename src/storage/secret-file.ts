import { randomBytes } from 'node:crypto';
import { chown, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Reads a file with 32 random bytes as hexadecimal digits, mode 0600, and creates it if it is missing. The file is
 * written and synced under another name and then linked: two concurrent processes read the same secret, and a crash
 * never leaves half of one.
 */
export async function ensureSecretFile(path: string): Promise<string> {
  const found = await readSecretFile(path);
  if (found !== undefined) return found;
  const unfinished = await writeAside(path, [randomBytes(32).toString('hex')]);
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncDirectory(dirname(path));
  return (await readFile(path, 'utf8')).trim();
}

/**
 * Replaces the lines of a secret file atomically and keeps its owner, so that the server's user can still read it after
 * root ran a command.
 */
export async function replaceSecretFile(path: string, lines: readonly string[]): Promise<void> {
  const unfinished = await writeAside(path, lines);
  try {
    const { uid, gid } = await stat(path);
    if (process.getuid?.() === 0) await chown(unfinished, uid, gid);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

async function writeAside(path: string, lines: readonly string[]): Promise<string> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(lines.map((line) => `${line}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  return unfinished;
}

export async function readSecretFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
