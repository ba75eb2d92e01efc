/**
 * The pictures uploaded with a job, in addition to those of its package, by base name. Lookups are synchronous, because
 * drawing a row is synchronous: Node reads from a file, a browser from memory.
 */
export interface JobAssets {
  has(name: string): boolean;
  /** Throws `AssetsUnavailable` if a picture that exists cannot be read. */
  read(name: string): Uint8Array | undefined;
}

/** The files of the job cannot be read now. The row did not cause this, so it must not fail because of it. */
export class AssetsUnavailable extends Error {}

/** Longer values are neither file names (file systems allow at most 255 bytes) nor paths. */
const MAX_NAME_CHARS = 1024;

/**
 * Returns the lookup name of a picture: the part after the last separator, in NFC, because archives made on macOS contain
 * decomposed letters and spreadsheets composed ones. Names are case-sensitive.
 */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).normalize('NFC');
}

/** Returns the lookup name for a value, or undefined if the value can only be a package picture or picture data. */
export function jobAssetName(value: string): string | undefined {
  if (value.length > MAX_NAME_CHARS || value.startsWith('assets/') || value.startsWith('data:'))
    return undefined;
  return baseName(value);
}

export const NO_JOB_ASSETS: JobAssets = { has: () => false, read: () => undefined };

export function jobAssetsOf(files: ReadonlyMap<string, Uint8Array>): JobAssets {
  const byName = new Map([...files].map(([path, bytes]) => [baseName(path), bytes]));
  return { has: (name) => byName.has(name), read: (name) => byName.get(name) };
}
