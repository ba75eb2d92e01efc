import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { ensureSecretFile } from '../secret-file.ts';

export const DATABASE_KEY_FILE = 'database.key';

/**
 * The password of the database's roles, in a 0600 file of the data directory, made if it is missing. The file belongs to
 * the owner of the data directory: when root runs a command first, the server's own user must still be able to read it.
 */
export async function ensureDatabaseKey(dataDir: string): Promise<string> {
  const path = join(dataDir, DATABASE_KEY_FILE);
  const key = await ensureSecretFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`The database's password file ${path} cannot be read (${error.message}).`);
  });
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new OperatorError(
      `${path} is damaged: it must hold 64 hexadecimal digits. Restore it from a backup.`,
    );
  const owner = statSync(dataDir);
  if (process.getuid?.() === 0 && statSync(path).uid !== owner.uid) chownSync(path, owner.uid, owner.gid);
  return key;
}
