import type { Codec } from '../codec.ts';
import { ByteSink } from './byte-sink.ts';
import type { PdfObject } from './tail-object.ts';
import { writeXref, type XrefEntry } from './xref-table.ts';

/**
 * One row's incremental update (ISO 32000-2 §7.5.6): changed and new objects, a classic cross-reference section whose
 * /Prev is the base's, and an /ID whose second half is derived from the row's own bytes. `base + tail` is the row's PDF.
 */
export interface TailFrame {
  readonly baseLength: number;
  readonly startXref: number;
  readonly size: number;
  readonly rootNumber: number;
  readonly infoNumber: number | null;
  readonly id: string;
}

/** A stream object given in parts, so that content and resources need not be joined first. */
export interface StreamPart {
  readonly num: number;
  /** The dictionary up to, not including, /Length. */
  readonly dict: string;
  readonly content: Uint8Array;
}

/** Half of a digest: an identifier has sixteen bytes. */
export const ID_DIGITS = 32;

export class TailWriter {
  readonly #frame: TailFrame;
  readonly #codec: Codec;
  #sink = new ByteSink();
  #start = 0;
  #entries: XrefEntry[] = [];
  #highest: number;

  constructor(frame: TailFrame, codec: Codec) {
    this.#frame = frame;
    this.#codec = codec;
    this.#highest = frame.size;
  }

  /** Starts a tail at the end of `sink`. The rows of a slice share one sink. */
  begin(sink: ByteSink): void {
    this.#sink = sink;
    this.#start = sink.length;
    this.#entries = [];
    this.#highest = this.#frame.size;
  }

  stream({ num, dict, content }: StreamPart): void {
    const sink = this.#sink;
    this.#enter(num);
    sink.ascii(`${num} 0 obj\n${dict}/Length ${content.length}>>\nstream\n`);
    sink.bytes(content);
    sink.ascii('\nendstream\nendobj\n');
  }

  object({ num, body }: PdfObject): void {
    const sink = this.#sink;
    this.#enter(num);
    sink.ascii(`${num} 0 obj\n`);
    sink.bytes(body);
    sink.ascii('\nendobj\n');
  }

  /** Completes the tail. The result is valid until the sink's next write. A row that changes nothing still gets its /ID. */
  finish(): Uint8Array {
    const sink = this.#sink;
    const { baseLength, startXref, rootNumber, infoNumber, id } = this.#frame;
    const rowId = this.#codec.sha256Hex(sink.view(this.#start)).slice(0, ID_DIGITS);
    const xrefAt = baseLength + sink.length - this.#start;
    this.#entries.sort((a, b) => a.num - b.num);
    writeXref(sink, this.#entries, false);
    const info = infoNumber === null ? '' : `/Info ${infoNumber} 0 R`;
    sink.ascii(
      `trailer\n<</Size ${this.#highest}/Root ${rootNumber} 0 R${info}/Prev ${startXref}/ID[<${id}><${rowId}>]>>\n` +
        `startxref\n${xrefAt}\n%%EOF\n`,
    );
    return sink.view(this.#start);
  }

  #enter(num: number): void {
    this.#entries.push({ num, offset: this.#frame.baseLength + this.#sink.length - this.#start });
    if (num >= this.#highest) this.#highest = num + 1;
  }
}
