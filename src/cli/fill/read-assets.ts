import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type AssetLimits, AssetsRefused } from '#fill/draw/images/asset-limits.ts';
import type { AssetSource } from '#fill/node/assets/asset-source.ts';
import { folderAssets } from '#fill/node/assets/folder-assets.ts';
import { inspectAssets } from '#fill/node/assets/inspect-assets.ts';
import { reason } from '../files.ts';
import { CliRefusal } from './cli-refusal.ts';

/** Reads the pictures of `--assets`, with the same checks as `assets_file` on the server. */
export async function readAssets(
  file: string | undefined,
  limits: AssetLimits,
): Promise<AssetSource | undefined> {
  if (file === undefined) return undefined;
  try {
    const found = await stat(file);
    if (found.isDirectory()) return { kind: 'folder', files: await folderAssets(file, limits) };
    // Larger archives are not read at all, as with uploads.
    if (found.size > limits.maxBytes) throw refused(file, `it is larger than ${limits.maxBytes} bytes`);
    const checked = await inspectAssets(file, limits);
    if (!checked.ok) throw refused(file, checked.reason);
    return { kind: 'zip', path: path.resolve(file), entries: checked.entries };
  } catch (error) {
    if (error instanceof CliRefusal) throw error;
    if (error instanceof AssetsRefused) throw refused(file, error.message);
    throw new CliRefusal('USAGE', `${file} cannot be read: ${reason(error)}`);
  }
}

const refused = (file: string, why: string) =>
  new CliRefusal('INVALID_ASSETS', `${file} cannot be used: ${why}.`);
