import type { DialectSpec } from './dialect-spec.ts';

/** All dialects of this server, by path prefix. The longest prefix decides. */
export class Dialects {
  /** Each dialect once, in the order of the list. */
  readonly all: readonly DialectSpec[];
  readonly #byPrefix: readonly (readonly [string, DialectSpec])[];
  /** The dialect of paths outside every prefix (`/`, `/metrics`): the first of the list. */
  readonly fallback: DialectSpec;

  constructor(byPrefix: readonly (readonly [prefix: string, dialect: DialectSpec])[]) {
    const [first] = byPrefix;
    if (first === undefined) throw new Error('bug: a server without a dialect');
    this.fallback = first[1];
    this.all = [...new Set(byPrefix.map(([, dialect]) => dialect))];
    this.#byPrefix = [...byPrefix].sort(([a], [b]) => b.length - a.length);
  }

  choose(url: string): DialectSpec {
    const path = pathOf(url);
    const found = this.#byPrefix.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
    return found?.[1] ?? this.fallback;
  }

  get(name: string): DialectSpec {
    const found = this.all.find(({ errors }) => errors.dialect === name);
    if (found === undefined) throw new Error(`bug: no dialect ${name} is registered`);
    return found;
  }
}

export function pathOf(url: string): string {
  const end = url.search(/[?#;]/);
  return end === -1 ? url : url.slice(0, end);
}
