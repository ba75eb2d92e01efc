import { join } from 'node:path';
import { findSealKey, SEAL_KEY_FILE, type SealKeySettings } from '#fill/node/seal-key.ts';
import type { FillRefusal } from './cli-refusal.ts';

/**
 * The seal key that signs the manifest: that of an installation, so that its public key proves who signed. The command never
 * makes one.
 */
export async function signingKey(settings: SealKeySettings): Promise<Uint8Array | FillRefusal> {
  const loaded = await findSealKey(settings);
  if (loaded === null)
    return {
      code: 'USAGE',
      message: `--sign-manifest needs the seal key of an installation: ${join(settings.dataDir, SEAL_KEY_FILE)} does not exist, and ROWPRESS_SEAL_KEY is not set`,
    };
  return loaded.ok ? loaded.secretKey : { code: 'SEAL_KEY_INVALID', message: loaded.message };
}
