import { entriesOf, itemsOf, referenceOf } from './base-text.ts';

/**
 * Destinations by name (ISO 32000-2 §12.3.2.4): names in the catalog's /Dests, strings in the name tree /Names /Dests.
 * Writers confuse the two and readers accept it, so each kind is looked up in its own place first, then in the other. The
 * first lookup reads the whole tree, because its /Limits cannot be trusted.
 */
export class NamedDestinations {
  readonly #catalog: ReadonlyMap<string, string>;
  /** The text of the target of a reference, or the text itself. */
  readonly #read: (text: string) => string;
  #places: { readonly byName: Destinations; readonly byString: Destinations } | null = null;

  constructor(catalog: ReadonlyMap<string, string>, read: (text: string) => string) {
    this.#catalog = catalog;
    this.#read = read;
  }

  /** The destination of a name or a string. */
  find(name: string): string | null {
    this.#places ??= { byName: this.#readDictionary(), byString: this.#readTree() };
    const { byName, byString } = this.#places;
    const isName = name.startsWith('/');
    const key = isName ? hexOfName(name) : name.slice(1, -1);
    return (isName ? byName.get(key) : byString.get(key)) ?? byName.get(key) ?? byString.get(key) ?? null;
  }

  #readDictionary(): Destinations {
    const entries = entriesOf(this.#read(this.#catalog.get('/Dests') ?? '')) ?? [];
    return new Map([...entries].map(([name, value]) => [hexOfName(name), value]));
  }

  #readTree(): Destinations {
    const found = new Map<string, string>();
    const names = entriesOf(this.#read(this.#catalog.get('/Names') ?? ''));
    const nodes = [names?.get('/Dests') ?? ''];
    // Kids are indirect (§7.9.6), so a node that was visited before is part of a cycle or a duplicate.
    const seen = new Set(nodes);
    for (const node of nodes) {
      const entries = entriesOf(this.#read(node));
      const pairs = itemsOf(this.#read(entries?.get('/Names') ?? '')) ?? [];
      for (let at = 0; at + 1 < pairs.length; at += 2) {
        const [key = '', value = ''] = [pairs[at], pairs[at + 1]];
        if (/^<[^<]/.test(key) && !found.has(key.slice(1, -1))) found.set(key.slice(1, -1), value);
      }
      for (const kid of itemsOf(this.#read(entries?.get('/Kids') ?? '')) ?? []) {
        if (seen.has(kid) || referenceOf(kid) === null) continue;
        seen.add(kid);
        nodes.push(kid);
      }
    }
    return found;
  }
}

/** Keyed by the bytes of the name, in hexadecimal. */
type Destinations = ReadonlyMap<string, string>;

function hexOfName(name: string): string {
  return name
    .slice(1)
    .replace(/#([0-9A-F]{2})|./g, (letter, digits?: string) =>
      (digits ?? letter.charCodeAt(0).toString(16).padStart(2, '0')).toLowerCase(),
    );
}
