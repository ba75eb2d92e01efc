import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { nativeCodec } from '#fill/node/native-codec.ts';
import type { SealKeySettings } from '#fill/node/seal-key.ts';
import { ASSET_NAME, type Layout } from '#fill/package/layout-schema.ts';
import { missingAsset } from '#fill/package/missing-asset.ts';
import { parseLayout } from '#fill/package/parse-layout.ts';
import { reason } from '../files.ts';
import { CliRefusal } from './cli-refusal.ts';

/** A layout from a sealed package, or from a plain `layout.json` with its assets beside it. */
export interface ReadPlan {
  readonly layout: Layout;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly packageSha256: string;
}

export async function readPlan(file: string, settings: SealKeySettings): Promise<ReadPlan> {
  const bytes = await readInput(file);
  const packageSha256 = createHash('sha256').update(bytes).digest('hex');
  if (path.extname(file).toLowerCase() === '.json' || beginsLikeJson(bytes)) {
    const parsed = parseLayout(bytes);
    if (!parsed.ok) throw new CliRefusal(parsed.code, parsed.message);
    const assets = await assetsBeside(file);
    const missing = missingAsset(parsed.layout, assets);
    if (missing !== null) throw new CliRefusal('PACKAGE_INVALID', `The font file ${missing} is missing.`);
    return { layout: parsed.layout, assets, packageSha256 };
  }
  // Loaded only for packages: verifying signatures is a tenth of what the command loads.
  const { trustedKeys } = await import('#fill/node/seal-key.ts');
  const { openPackage } = await import('#fill/package/open-package.ts');
  const trusted = await trustedKeys(settings);
  if (!trusted.ok) throw new CliRefusal('SEAL_KEY_INVALID', trusted.message);
  const opened = openPackage(bytes, {
    codec: nativeCodec,
    trustedKeys: trusted.keys,
  });
  if (!opened.ok) {
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
    const hint = isZip ? '' : ` ${file} is neither a sealed package (.doqlo) nor a layout (.json).`;
    throw new CliRefusal(opened.code, opened.message + hint);
  }
  return { layout: opened.package.layout, assets: opened.package.assets, packageSha256 };
}

/**
 * Reports whether the bytes are a layout, which is a JSON object whatever its name. A package is a ZIP and begins with
 * `PK`.
 */
function beginsLikeJson(bytes: Uint8Array): boolean {
  return /^\ufeff?\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 100)));
}

/** Reads an input file. A missing file is an error in the command line, not in the data. */
export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CliRefusal('USAGE', `${file} cannot be read: ${reason(error)}`);
  }
}

/** Reads the files that sealing would put into the package: the folder `assets` next to the layout. */
async function assetsBeside(layoutFile: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = path.join(path.dirname(layoutFile), 'assets');
  const names = await readdir(folder).catch(() => []);
  const usable = names.filter((name) => ASSET_NAME.test(`assets/${name}`)).sort();
  return new Map(
    await Promise.all(
      usable.map(async (name) => [`assets/${name}`, await readFile(path.join(folder, name))] as const),
    ),
  );
}
