import { type PdfArray, PdfDict, type PdfObject, type PdfRef, PdfStream, type PdfString } from '@libpdf/core';
import { ByteSink } from '../write/byte-sink.ts';
import { hex } from '../write/hex.ts';
import { escapeName } from '../write/pdf-name.ts';
import { exactPdfNumber } from '../write/pdf-number.ts';
import type { XrefEntry } from '../write/xref-table.ts';
import { ActiveContent } from './active-content.ts';
import type { SourceDocument } from './load-source.ts';
import { PdfRefused } from './refusal.ts';

/**
 * Writes every object reachable from the roots, renumbered from 1 in the order of discovery, generation 0, nothing
 * compressed into object streams. Unreachable objects (old revisions, object and cross-reference streams, the encryption
 * dictionary) are left out. Stream data is copied in its encoded form.
 */
export class GraphWriter {
  sink: ByteSink;
  readonly xref: XrefEntry[] = [];
  readonly #source: SourceDocument;
  readonly #active: ActiveContent;
  readonly #numbers = new Map<string, number>();
  readonly #aliases = new Map<string, PdfRef>();
  readonly #queue: PdfRef[] = [];
  #next = 1;
  #written = 0;

  constructor(source: SourceDocument, capacity: number, keepActions: boolean) {
    this.#source = source;
    this.#active = new ActiveContent(source, keepActions);
    this.sink = new ByteSink(capacity);
  }

  /** From now on, references to `from` are written as references to `to`. */
  alias(from: PdfRef, to: PdfRef): void {
    this.#aliases.set(keyOf(from), to);
  }

  /** Returns the new number of an object and queues the object for writing. */
  numberOf(reference: PdfRef): number {
    const ref = this.#aliases.get(keyOf(reference)) ?? reference;
    const key = keyOf(ref);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#next;
    this.#next += 1;
    this.#numbers.set(key, number);
    this.#queue.push(ref);
    return number;
  }

  /** The first number that is not assigned. */
  get nextNumber(): number {
    return this.#next;
  }

  /** Writes all discovered objects and those reachable from them. `ready` has finished bodies, or null for later ones. */
  drain(ready: ReadonlyMap<number, Uint8Array | null>): void {
    for (; this.#written < this.#queue.length; this.#written += 1) {
      const ref = this.#queue[this.#written];
      if (ref === undefined) throw new Error('bug: a hole in the queue');
      const number = this.#numbers.get(keyOf(ref));
      if (number === undefined) throw new Error('bug: a queued object has no number');
      const body = ready.get(number);
      if (body === null) continue;
      if (body !== undefined) this.writeObject(number, body);
      else this.#writeIndirect(number, this.#source.resolve(ref));
    }
  }

  /** A dictionary as text without some of its keys and without its end; what it refers to is written as well. */
  dictText(dict: PdfDict, omitted: ReadonlySet<string>): string {
    const file = this.sink;
    this.sink = new ByteSink(1024);
    const kept = new PdfDict([...dict].filter(([key]) => !omitted.has(key.value)));
    this.#writeDict(kept, 0);
    // Names and strings are escaped, so every byte is ASCII.
    const text = new TextDecoder().decode(this.sink.view());
    this.sink = file;
    return text.slice(0, -2);
  }

  writeObject(number: number, body: Uint8Array): void {
    this.xref.push({ num: number, offset: this.sink.length });
    this.sink.ascii(`${number} 0 obj\n`);
    this.sink.bytes(body);
    this.sink.ascii('\nendobj\n');
  }

  #writeIndirect(number: number, object: PdfObject | null): void {
    this.xref.push({ num: number, offset: this.sink.length });
    this.sink.ascii(`${number} 0 obj\n`);
    if (object instanceof PdfStream) this.#writeStream(object);
    else this.#write(object, 0);
    this.sink.ascii('\nendobj\n');
  }

  #writeStream(stream: PdfStream): void {
    const { data } = stream;
    this.#writeDict(stream, 0, data.length);
    this.sink.ascii('\nstream\n');
    this.sink.bytes(data);
    this.sink.ascii('\nendstream');
  }

  #write(object: PdfObject | null, depth: number): void {
    if (depth > MAX_NESTING) throw new PdfRefused('PDF_INVALID', 'The PDF nests objects too deeply.');
    const { sink } = this;
    switch (object?.type) {
      case 'ref': {
        const target = this.#source.resolve(object);
        if (target === null || target.type === 'null' || this.#active.isForbidden(target)) sink.ascii('null');
        else sink.ascii(`${this.numberOf(object as PdfRef)} 0 R`);
        return;
      }
      case 'dict':
        if (this.#active.isForbidden(object)) sink.ascii('null');
        else this.#writeDict(object as PdfDict, depth);
        return;
      case 'array': {
        sink.ascii('[');
        let first = true;
        for (const item of object as PdfArray) {
          if (!first) sink.byte(0x20);
          first = false;
          this.#write(item, depth + 1);
        }
        sink.ascii(']');
        return;
      }
      case 'name':
        sink.ascii(escapeName((object as { value: string }).value));
        return;
      case 'number':
        sink.ascii(exactPdfNumber((object as { value: number }).value));
        return;
      case 'bool':
        sink.ascii((object as { value: boolean }).value ? 'true' : 'false');
        return;
      case 'string':
        writeString(sink, (object as PdfString).bytes);
        return;
      default:
        // A direct stream cannot exist; null and anything unknown are null.
        sink.ascii('null');
    }
  }

  #writeDict(dict: PdfDict, depth: number, streamLength?: number): void {
    const { sink } = this;
    sink.ascii('<<');
    for (const [key, value] of dict) {
      if (value.type === 'null') continue;
      if (streamLength !== undefined && STREAM_KEYS.has(key.value)) continue;
      const kept = this.#active.keptValue(dict, key.value, value);
      if (kept === null) continue;
      sink.ascii(escapeName(key.value));
      sink.byte(0x20);
      this.#write(kept, depth + 1);
    }
    if (streamLength !== undefined) sink.ascii(`/Length ${streamLength}`);
    sink.ascii('>>');
  }
}

const MAX_NESTING = 200;
/** The writer sets /Length. The others would refer a reader to another file (ISO 32000-2 §7.3.8.2). */
const STREAM_KEYS = new Set(['Length', 'F', 'FFilter', 'FDecodeParms', 'DL']);

const keyOf = (ref: PdfRef) => `${ref.objectNumber} ${ref.generation}`;
function writeString(sink: ByteSink, bytes: Uint8Array): void {
  sink.ascii(`<${hex(bytes)}>`);
}
