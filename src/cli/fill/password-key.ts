import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRET_KEY_FILE, type SecretSettings, secretRingOf } from '#engine/secret-ring.ts';
import { ROW_PASSWORDS } from '#fill/fill-options.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { FillRefusal } from './cli-refusal.ts';

/**
 * The key that the random parts of encrypted rows are derived from: that of the server with the same secret, so that both write
 * the same bytes. The command never makes a secret.
 */
export async function passwordKey(settings: SecretSettings): Promise<string | FillRefusal> {
  const path = join(settings.dataDir, SECRET_KEY_FILE);
  const file = await readFile(path, 'utf8').catch(() => undefined);
  if (settings.secretKey === undefined && file === undefined)
    return {
      code: 'USAGE',
      message: `--password-column needs the secret of an installation: ${path} cannot be read, and ROWPRESS_SECRET_KEY is not set (create one with openssl rand -hex 32)`,
    };
  try {
    return secretRingOf(settings, file).current.derive(ROW_PASSWORDS).toString('hex');
  } catch (error) {
    if (error instanceof OperatorError) return { code: 'USAGE', message: error.message };
    throw error;
  }
}
