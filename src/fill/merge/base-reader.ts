import type { PreparedBase } from '../prepare/prepared-base.ts';

/** Reads single objects back out of a base. It knows only what our own writer writes (prepare/graph-writer.ts). */
export class BaseReader {
  readonly pagesRoot: number;
  readonly #base: PreparedBase;
  readonly #offsets = new Map<number, number>();

  constructor(base: PreparedBase) {
    this.#base = base;
    this.#readXref();
    const root = /\/Pages (\d+) 0 R/.exec(this.bodyOf(base.facts.rootNumber))?.[1];
    if (root === undefined) throw new Error('bug: the base has no page tree');
    this.pagesRoot = Number(root);
  }

  /** An object that is not a stream, as text. */
  bodyOf(num: number): string {
    const offset = this.#offsets.get(num);
    if (offset === undefined) throw new Error(`bug: the base has no object ${num}`);
    const { bytes } = this.#base;
    const head = `${num} 0 obj\n`.length;
    let end = offset + head;
    while (end < bytes.length && !this.#endsAt(end)) end += 1;
    return text(bytes.subarray(offset + head, end));
  }

  /** The catalog without what cannot hold for many copies of the pages, and with `addition`. */
  catalogWith(addition: string): string {
    const kept = ['OCProperties', 'Metadata', 'Lang', 'OutputIntents', 'ViewerPreferences', 'PageLayout'];
    const body = this.bodyOf(this.#base.facts.rootNumber);
    const entries = kept.flatMap((key) => {
      const value = entryValue(body, key);
      return value === null ? [] : [`/${key} ${value}`];
    });
    return `<</Type/Catalog/Pages ${this.pagesRoot} 0 R${entries.join('')}${addition}>>`;
  }

  #endsAt(at: number): boolean {
    const { bytes } = this.#base;
    return ENDOBJ.every((code, index) => bytes[at + index] === code);
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

/** The value of a key of the outermost dictionary. Our writer puts one space after a key and writes strings in hexadecimal. */
function entryValue(body: string, key: string): string | null {
  let depth = 0;
  let start = -1;
  // A string is a token of its own, or the end of one and the end of a dictionary would look alike: `<656e>>>`.
  for (const match of body.matchAll(/<<|<[^<>]*>|>>|\[|\]|\/[^\s/<>[\]()]+/g)) {
    const [token] = match;
    if (depth === 1 && start >= 0 && (token.startsWith('/') || token === '>>')) {
      const value = body.slice(start, match.index).trim();
      // A name as the value stands directly behind its key.
      if (value !== '' || token === '>>') return value;
      return token;
    }
    if (depth === 1 && token === `/${key}`) start = match.index + token.length;
    if (token === '<<' || token === '[') depth += 1;
    else if (token === '>>' || token === ']') depth -= 1;
  }
  return null;
}

const SUBSECTION = /^(\d+) (\d+)$/;
const ENDOBJ = [...'\nendobj\n'].map((letter) => letter.charCodeAt(0));

function text(bytes: Uint8Array): string {
  let result = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    result += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return result;
}
