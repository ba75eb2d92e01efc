/**
 * The pictures that come with a job, besides those of its package, by base name. Lookups are synchronous, because a
 * row is drawn in one go: Node reads from a file, a browser from memory.
 */
export interface JobAssets {
  has(name: string): boolean;
  /** Throws `AssetsUnavailable` if a picture that exists cannot be read. */
  read(name: string): Uint8Array | undefined;
}

/** The files of the job cannot be read now. It is not the row's fault, so it must not become the row's outcome. */
export class AssetsUnavailable extends Error {}

/** Longer values are not file names (255 bytes are the most that file systems allow), nor paths to one. */
const MAX_NAME_CHARS = 1024;

/**
 * The name by which a picture is found: what follows the last separator, in NFC, because archives made on macOS hold
 * decomposed letters and spreadsheets composed ones. Upper and lower case differ.
 */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).normalize('NFC');
}

/** The name that a value may mean; undefined if it can only mean a picture of the package, or a picture itself. */
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
