/** Limits of a file or folder of pictures. */
export interface AssetLimits {
  readonly maxEntries: number;
  readonly maxEntryBytes: number;
  /** All pictures together, unpacked. */
  readonly maxBytes: number;
}

export const DEFAULT_ASSET_LIMITS: AssetLimits = {
  maxEntries: 10_000,
  maxEntryBytes: 20_000_000,
  maxBytes: 500_000_000,
};

/** The limits by the settings of an installation. */
export function assetLimitsOf(settings: {
  readonly maxAssetsEntries: number;
  readonly maxAssetsEntryBytes: number;
  readonly maxAssetsBytes: number;
}): AssetLimits {
  return {
    maxEntries: settings.maxAssetsEntries,
    maxEntryBytes: settings.maxAssetsEntryBytes,
    maxBytes: settings.maxAssetsBytes,
  };
}

/** Pictures are rejected. The message follows "assets_file cannot be used:" or a similar text. */
export class AssetsRefused extends Error {}

const JUNK = new Set(['.DS_Store', 'Thumbs.db']);

/** Files that macOS and Windows add automatically. They are ignored. */
export function isJunk(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return parts[0] === '__MACOSX' || JUNK.has(parts.at(-1) ?? '');
}

/** Counts pictures. Refuses those that exceed a limit and duplicate names. */
export class AssetCounter {
  readonly #limits: AssetLimits;
  readonly #paths = new Map<string, string>();
  #bytes = 0;

  constructor(limits: AssetLimits) {
    this.#limits = limits;
  }

  /** `name` is the base name of `path`. */
  add(name: string, path: string, size: number): void {
    const { maxEntries, maxEntryBytes, maxBytes } = this.#limits;
    const other = this.#paths.get(name);
    if (other !== undefined)
      throw new AssetsRefused(`${quoted(other)} and ${quoted(path)} have the same base name`);
    this.#paths.set(name, path);
    if (this.#paths.size > maxEntries) throw new AssetsRefused(`it holds more than ${maxEntries} pictures`);
    if (size > maxEntryBytes)
      throw new AssetsRefused(`${quoted(path)} is larger than ${maxEntryBytes} bytes`);
    this.#bytes += size;
    if (this.#bytes > maxBytes)
      throw new AssetsRefused(`its pictures are larger than ${maxBytes} bytes together`);
  }
}

const SHOWN_CHARS = 120;

export function quoted(path: string): string {
  return JSON.stringify(path.length > SHOWN_CHARS ? `${path.slice(0, SHOWN_CHARS)}…` : path);
}
