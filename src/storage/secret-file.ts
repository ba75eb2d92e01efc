import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * A file with 32 random bytes as hexadecimal digits, mode 0600, made if it is missing. It is written whole and
 * synced under another name and then linked: of two processes that make it at once both read the same one, and
 * a crash never leaves half a secret.
 */
export async function ensureSecretFile(path: string): Promise<string> {
  const found = await readIfThere(path);
  if (found !== undefined) return found;
  const secret = randomBytes(32).toString('hex');
  const unfinished = `${path}.${secret.slice(0, 8)}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
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

async function readIfThere(path: string): Promise<string | undefined> {
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
