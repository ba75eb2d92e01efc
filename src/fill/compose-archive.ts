import type { Codec } from './codec.ts';
import type { RowRecord } from './fill-slice.ts';
import {
  type ManifestHead,
  type ManifestSummary,
  manifestText,
  rowResultJson,
  SummaryCounter,
} from './rows/manifest.ts';
import type { ZipManifest, ZipRow } from './zip/zip-plan.ts';

/**
 * Collects the records of a run, in row order, into what the archive needs besides base and tails: the index and the
 * manifest. Results are kept as finished lines of text, which is the smallest form in memory.
 */
export class ArchiveComposer {
  readonly zipRows: ZipRow[] = [];
  readonly #lines: string[] = [];
  readonly #counter = new SummaryCounter();

  add({ result, zip }: RowRecord): void {
    this.#lines.push(rowResultJson(result));
    this.#counter.add(result);
    if (zip !== null) this.zipRows.push(zip);
  }

  get rowCount(): number {
    return this.#lines.length;
  }

  summary(): ManifestSummary {
    return this.#counter.summary();
  }

  /** The manifest's bytes, piece by piece: 100,000 rows are 30 MB of it. */
  *manifestPieces(head: Omit<ManifestHead, 'rows' | 'summary'>): Generator<Uint8Array> {
    const encoder = new TextEncoder();
    const whole = { ...head, rows: this.#lines.length, summary: this.summary() };
    for (const text of manifestText(whole, this.#lines)) yield encoder.encode(text);
  }

  manifest(head: Omit<ManifestHead, 'rows' | 'summary'>, codec: Codec): ZipManifest {
    const pieces = [...this.manifestPieces(head)];
    const plain = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      plain.set(piece, at);
      at += piece.length;
    }
    return { deflated: codec.deflate(plain), plainLength: plain.length, crc32: codec.crc32(plain) };
  }
}
