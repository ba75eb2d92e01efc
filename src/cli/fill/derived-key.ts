import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRET_KEY_FILE, type SecretSettings, secretRingOf } from '#engine/secret-ring.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { FillRefusal } from './cli-refusal.ts';

/**
 * The key that the installation secret derives for a purpose: that of the server with the same secret, so that both write the same
 * bytes. The command never makes a secret. `option` is the option that needs it.
 */
export async function derivedKey(
  settings: SecretSettings,
  purpose: string,
  option: string,
): Promise<string | FillRefusal> {
  const path = join(settings.dataDir, SECRET_KEY_FILE);
  const file = await readFile(path, 'utf8').catch(() => undefined);
  if (settings.secretKey === undefined && file === undefined)
    return {
      code: 'USAGE',
      message: `${option} needs the secret of an installation: ${path} cannot be read, and ROWPRESS_SECRET_KEY is not set (create one with openssl rand -hex 32)`,
    };
  try {
    return secretRingOf(settings, file).current.derive(purpose).toString('hex');
  } catch (error) {
    if (error instanceof OperatorError) return { code: 'USAGE', message: error.message };
    throw error;
  }
}
