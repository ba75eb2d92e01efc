import type { RowWarning } from './row-outcome.ts';

/** Most notes of one code about the rows of one document. A group has up to 5,000 rows, and each can have notes for every table. */
const MAX_NOTES = 100;

/** Adds notes about the rows of a document to its warnings, up to a limit for each code. */
export class RowNotes {
  readonly #warnings: RowWarning[];
  readonly #counts = new Map<RowWarning['code'], number>();
  /** Id of the first overlay whose note was left out. */
  readonly #leftOut = new Map<RowWarning['code'], string>();

  constructor(warnings: RowWarning[]) {
    this.#warnings = warnings;
  }

  add(note: RowWarning): void {
    const count = (this.#counts.get(note.code) ?? 0) + 1;
    this.#counts.set(note.code, count);
    if (count <= MAX_NOTES) this.#warnings.push(note);
    else if (count === MAX_NOTES + 1) this.#leftOut.set(note.code, note.overlay_id);
  }

  /** Adds one note for each code that exceeded the limit. */
  finish(): void {
    for (const [code, overlay_id] of this.#leftOut) {
      const more = (this.#counts.get(code) ?? 0) - MAX_NOTES;
      const notes = more === 1 ? '1 more note of this kind is' : `${more} more notes of this kind are`;
      this.#warnings.push({ code, message: `${notes} not listed.`, overlay_id });
    }
  }
}
