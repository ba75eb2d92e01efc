import type { PreparedBase } from '../prepare/prepared-base.ts';
import { entriesOf, referenceOf } from './base-text.ts';

/** Reads single objects of a base. It supports only the syntax of our own writer (prepare/graph-writer.ts). */
export class BaseReader {
  readonly pagesRoot: number;
  readonly catalog: ReadonlyMap<string, string>;
  readonly #base: PreparedBase;
  readonly #offsets = new Map<number, number>();

  constructor(base: PreparedBase) {
    this.#base = base;
    this.#readXref();
    this.catalog = entriesOf(this.bodyOf(base.facts.rootNumber)) ?? new Map();
    const root = referenceOf(this.catalog.get('/Pages') ?? '');
    if (root === null) throw new Error('bug: the base has no page tree');
    this.pagesRoot = root;
  }

  /** Where each object begins, by its number. */
  get offsets(): ReadonlyMap<number, number> {
    return this.#offsets;
  }

  /** An object that is not a stream, as text. */
  bodyOf(num: number): string {
    const body = this.findBody(num, this.#base.bytes.length);
    if (body === null) throw new Error(`bug: the base has no object ${num}`);
    return body;
  }

  /** The text of any object; null if there is none, or if it is longer than `most`. Of a stream, only the dictionary is reliable. */
  findBody(num: number, most: number): string | null {
    const offset = this.#offsets.get(num);
    if (offset === undefined) return null;
    const { bytes } = this.#base;
    const start = offset + `${num} 0 obj\n`.length;
    const last = Math.min(start + most, bytes.length - ENDOBJ.length);
    for (let end = start; end <= last; end += 1) {
      // Compare two bytes first: a stream of line ends would otherwise cost a call for each of them.
      if (bytes[end] !== ENDOBJ[0] || bytes[end + 1] !== ENDOBJ[1]) continue;
      if (ENDOBJ.every((code, index) => bytes[end + index] === code)) return text(bytes.subarray(start, end));
    }
    return null;
  }

  /** The text of a value, which may be a reference; null if there is no such object. */
  textAt(value: string): string | null {
    const num = referenceOf(value);
    return num === null ? value : this.findBody(num, this.#base.bytes.length);
  }

  /** The entries of a dictionary, which may be a reference; null for anything else. */
  entriesAt(value: string | undefined): Map<string, string> | null {
    return entriesOf(this.textAt(value ?? '') ?? '');
  }

  /** The data of a stream that is ASCII without a filter, as our own writer adds; null for any other. */
  plainStreamAt(value: string | undefined): string | null {
    const body = this.textAt(value ?? '') ?? '';
    return /^<<\/Length \d+>>\nstream\n([\t\n\r -~]*)\nendstream$/.exec(body)?.[1] ?? null;
  }

  /** The catalog with `addition`, and without entries that are invalid for many copies of the pages. */
  catalogWith(addition: string): string {
    const kept = ['OCProperties', 'Metadata', 'Lang', 'OutputIntents', 'ViewerPreferences', 'PageLayout'];
    const entries = kept.flatMap((key) => {
      const value = this.catalog.get(`/${key}`);
      return value === undefined ? [] : [`/${key} ${value}`];
    });
    return `<</Type/Catalog/Pages ${this.pagesRoot} 0 R${entries.join('')}${addition}>>`;
  }

  #readXref(): void {
    const { bytes, facts } = this.#base;
    const lines = text(bytes.subarray(facts.startXref)).split('\n');
    let at = 1;
    for (
      let head = SUBSECTION.exec(lines[at] ?? '');
      head !== null;
      head = SUBSECTION.exec(lines[at] ?? '')
    ) {
      const first = Number(head[1]);
      const count = Number(head[2]);
      for (let index = 0; index < count; index += 1) {
        const line = lines[at + 1 + index] ?? '';
        if (line.includes('n')) this.#offsets.set(first + index, Number(line.slice(0, 10)));
      }
      at += 1 + count;
    }
  }
}

const SUBSECTION = /^(\d+) (\d+)$/;
const ENDOBJ = [0x0a, 0x65, 0x6e, 0x64, 0x6f, 0x62, 0x6a, 0x0a] as const;

function text(bytes: Uint8Array): string {
  let result = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    result += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return result;
}
