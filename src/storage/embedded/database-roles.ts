import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** The role that initdb makes. It remains for maintenance: PostgreSQL does not let its first role give up superuser. */
export const SUPERUSER = 'rowpress';
/** The role of the server and of commands: it owns the database `rowpress` and is not a superuser. */
export const SERVER_ROLE = 'rowpress_server';
export const DATABASE = 'rowpress';

const ITERATIONS = 4096;

/**
 * The form in which PostgreSQL stores a password (RFC 5803). Computed here, so that a statement that fails does not put
 * the password into the server's log.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
