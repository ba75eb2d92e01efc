/** The pictures of a run, by base name. They belong to the rows, not to the package. */
export interface PictureSet {
  /** The name of the folder or of the ZIP. */
  readonly name: string;
  readonly files: ReadonlyMap<string, Blob>;
  readonly bytes: number;
  /** The ZIP that they came from, which a run sends as it is. Null for a folder. */
  readonly zip: Blob | null;
}

/** Larger sets are not stored with the draft. */
export const MAX_KEPT_BYTES = 100_000_000;
