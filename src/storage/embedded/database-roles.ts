import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { ensureSecretFile } from '../secret-file.ts';

/**
 * The role that initdb creates. It stays for maintenance: PostgreSQL does not allow its first role to give up
 * superuser.
 */
export const SUPERUSER = 'rowpress';
/** The role of the server and of commands. It owns the database `rowpress` and is not a superuser. */
export const SERVER_ROLE = 'rowpress_server';
export const DATABASE = 'rowpress';

const ITERATIONS = 4096;

/**
 * Returns a password in PostgreSQL's stored form (RFC 5803). Computed here, so that a failing statement does not write
 * the password to the server's log.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}

export const DATABASE_KEY_FILE = 'database.key';

/**
 * Returns the password of the database roles, in a 0600 file of the data directory, and creates it if it is missing.
 * The file belongs to the owner of the data directory: if root runs a command first, the server's user must still be
 * able to read it.
 */
export async function ensureDatabaseKey(dataDir: string): Promise<string> {
  const path = join(dataDir, DATABASE_KEY_FILE);
  const key = await ensureSecretFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`Cannot read the database password file ${path} (${error.message}).`);
  });
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new OperatorError(
      `${path} is damaged: it must contain 64 hexadecimal digits. Restore it from a backup.`,
    );
  const owner = statSync(dataDir);
  if (process.getuid?.() === 0 && statSync(path).uid !== owner.uid) chownSync(path, owner.uid, owner.gid);
  return key;
}
