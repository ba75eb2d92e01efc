import { extname, join } from 'node:path';
import type { Config } from '#config.ts';
import { SEAL_KEY_FILE } from '#fill/node/seal-key.ts';
import { exists } from '#storage/data-dir.ts';
import { CommandFailed } from '../command-failed.ts';
import { sealedLayout } from '../layout-seal.ts';
import { requireFile } from './export-input.ts';

/**
 * Returns the package to send: its path, or a layout.json sealed with the key of this machine. It never creates a key, because the
 * server would not trust it.
 */
export async function sealedPackage(
  path: string,
  pdf: string,
  readSettings: () => Config,
): Promise<string | Uint8Array> {
  await requireFile(path);
  if (extname(path).toLowerCase() !== '.json') return path;
  const settings = readSettings();
  if (settings.sealKey === undefined && !exists(join(settings.dataDir, SEAL_KEY_FILE)))
    throw new CommandFailed(
      'SEAL_KEY_INVALID',
      `${path} must be sealed before it is sent, and this machine has no seal key that the server trusts. ` +
        'Seal it in the folder of the installation (rowpress layout seal), or set ROWPRESS_SEAL_KEY as the server does.',
    );
  const sealed = await sealedLayout({ layout: path, pdf, strict: false }, settings);
  if (!sealed.ok) throw new CommandFailed(sealed.code, sealed.message);
  return sealed.bytes;
}
