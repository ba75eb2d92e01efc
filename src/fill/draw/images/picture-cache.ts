import type { PdfImage } from './pdf-image.ts';

/** Why a value cannot be drawn as a picture. */
export interface PictureProblem {
  readonly code: 'IMAGE_MISSING' | 'IMAGE_INVALID';
  readonly message: string;
  /** Pixels that were charged before the problem was found. */
  readonly pixels?: number;
}

export type FoundPicture = PdfImage | PictureProblem;

/** A few photographs or hundreds of signatures; every thread has a cache for each of its templates. */
const MAX_BYTES = 16_000_000;

/**
 * The most recently used pictures, by value. A run uses either few pictures many times or many pictures once, so the
 * cache is only large enough for the first case; memory does not grow with the number of rows.
 */
export class PictureCache {
  readonly #kept = new Map<string, { readonly picture: FoundPicture; readonly bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(value: string): FoundPicture | undefined {
    const entry = this.#kept.get(value);
    if (entry === undefined) return undefined;
    this.#kept.delete(value);
    this.#kept.set(value, entry);
    return entry.picture;
  }

  /** Keeps the latest picture regardless of its size: the next row may use it again. */
  keep(value: string, picture: FoundPicture): void {
    const bytes = value.length + ('code' in picture ? 0 : picture.heldBytes);
    this.#kept.set(value, { picture, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#kept) {
      if (this.#bytes <= this.#maxBytes || oldest === value) return;
      this.#kept.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}
