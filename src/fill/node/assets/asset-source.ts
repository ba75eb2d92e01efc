/** Pictures of a job and where their bytes are, as data: threads receive it and open it themselves. */
export type AssetSource = ZipSource | { readonly kind: 'folder'; readonly files: readonly FolderAsset[] };

export interface ZipSource {
  readonly kind: 'zip';
  readonly path: string;
  readonly entries: readonly ZipAsset[];
  /** Key and context of the `ChunkCipher` that encrypted the file; absent for a plain file. */
  readonly encryption?: { readonly key: Uint8Array; readonly context: string };
}

export interface FolderAsset {
  /** The base name. */
  readonly name: string;
  readonly path: string;
}

/** A picture in a ZIP whose every byte has been checked once. */
export interface ZipAsset {
  /** The base name. */
  readonly name: string;
  /** Where its data begins, behind the local header. */
  readonly offset: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly deflated: boolean;
  readonly crc32: number;
}
