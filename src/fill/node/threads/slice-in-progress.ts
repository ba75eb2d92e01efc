import type { FilledPiece } from '#fill/fill-rows.ts';

/** Anything with tails: a piece in either form. */
type Piece = Pick<FilledPiece, 'tails'>;

/** A slice whose pieces are taken in row order while it is filled, on this thread or another. */
export interface SliceInProgress<Taken extends Piece> {
  /** Whether all pieces are filled. Those that were not taken are still held. */
  readonly isFilled: boolean;
  /** Bytes of the tails that are held. */
  readonly heldBytes: number;
  take(): Taken | undefined;
  /** Settles when there is another piece, or when there will be none. */
  fillMore(): Promise<void> | void;
}

/** A slice that this thread fills, one piece per call of `fillMore`. */
export class OwnSlice<Taken extends Piece> implements SliceInProgress<Taken> {
  readonly #pieces: Iterator<Taken>;
  readonly #held: Taken[] = [];
  isFilled = false;
  heldBytes = 0;

  constructor(pieces: Iterator<Taken>) {
    this.#pieces = pieces;
  }

  take(): Taken | undefined {
    const piece = this.#held.shift();
    this.heldBytes -= piece?.tails.length ?? 0;
    return piece;
  }

  fillMore(): void {
    const { done, value } = this.#pieces.next();
    if (done === true) {
      this.isFilled = true;
      return;
    }
    this.#held.push(value);
    this.heldBytes += value.tails.length;
  }
}

/** A slice that another thread fills; its pieces arrive as messages. */
export class ThreadSlice<Taken extends Piece> implements SliceInProgress<Taken> {
  readonly #onPassed: (tailBytes: number) => void;
  readonly #held: Taken[] = [];
  /** Bytes of the tails of the piece that was taken last. */
  #taken: number | undefined;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  isFilled = false;
  heldBytes = 0;

  /** `onPassed` receives the bytes of a piece's tails when the caller takes the next piece or drops the rest. */
  constructor(onPassed: (tailBytes: number) => void) {
    this.#onPassed = onPassed;
  }

  add(piece: Taken): void {
    this.#held.push(piece);
    this.heldBytes += piece.tails.length;
    this.#wake?.();
  }

  end(failure?: Error): void {
    if (this.isFilled) return;
    this.#failure = failure;
    this.isFilled = true;
    this.#wake?.();
  }

  /** Throws if the slice failed. */
  take(): Taken | undefined {
    this.#pass();
    if (this.#failure !== undefined) throw this.#failure;
    const piece = this.#held.shift();
    if (piece === undefined) return undefined;
    this.heldBytes -= piece.tails.length;
    this.#taken = piece.tails.length;
    return piece;
  }

  /** Drops the pieces that are held. Otherwise the thread would always count them as untaken. */
  drop(): void {
    this.#pass();
    for (const { tails } of this.#held.splice(0)) this.#onPassed(tails.length);
    this.heldBytes = 0;
  }

  async fillMore(): Promise<void> {
    if (this.isFilled || this.#held.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  #pass(): void {
    if (this.#taken === undefined) return;
    this.#onPassed(this.#taken);
    this.#taken = undefined;
  }
}
