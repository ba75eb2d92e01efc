import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPTIONAL_FONT_PACKAGES } from '../fonts/script-fonts.ts';
import { ENGINE_VERSION } from '../version.ts';
import { moduleFolders } from './bundled-fonts.ts';

/** The optional font packages of a default installation. */
const STANDARD_FONTS = '@embedpdf/fonts-sc@1.0.0';

/**
 * The name of the engine with its fonts: other font packages change the bytes of some rows. For a default installation it is
 * the engine version alone, otherwise the version and a digest of the optional font packages. `+actions` means that actions of
 * the source were kept. Bases, manifests and the reuse of earlier work depend on this name. Packages are read once per
 * process.
 */
export function engineName(keepActions = false): string {
  known ??= nameWith(installedFontPackages());
  return keepActions ? `${known}+actions` : known;
}

let known: string | undefined;

export function nameWith(packages: readonly string[]): string {
  const fonts = packages.join(' ');
  if (fonts === STANDARD_FONTS) return ENGINE_VERSION;
  return `${ENGINE_VERSION}+fonts.${createHash('sha256').update(fonts).digest('hex').slice(0, 8)}`;
}

/** The optional font packages found, with their versions, in order of their names. */
export function installedFontPackages(folders: readonly string[] = moduleFolders()): string[] {
  return [...OPTIONAL_FONT_PACKAGES].sort().flatMap((name) => {
    for (const folder of folders) {
      const version = versionIn(join(folder, name, 'package.json'));
      if (version !== undefined) return [`${name}@${version}`];
    }
    return [];
  });
}

function versionIn(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version;
  } catch {
    return undefined;
  }
}
