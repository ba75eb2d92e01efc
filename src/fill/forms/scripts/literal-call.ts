/**
 * Reads a script that is one call with literal arguments: `AFNumber_Format(2, 0, 0, 0, "$", true);`. Acrobat writes its
 * built-in formats and calculations that way. Scripts are never run. Returns null for any other script.
 */
export type Literal = string | number | boolean | readonly string[];

export interface LiteralCall {
  readonly name: string;
  readonly args: readonly Literal[];
}

/** Longer scripts are programs. */
const MAX_SCRIPT = 100_000;
const TOKEN =
  /\s+|([A-Za-z_]\w*)|(-?(?:\d+\.?\d*|\.\d+))|("(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\\\r\n]|\\[^\r\n])*')|([(),;[\]])/y;

interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'mark';
  readonly text: string;
}

export function readLiteralCall(script: string): LiteralCall | null {
  const tokens = tokensOf(script);
  if (tokens === null) return null;
  const reader = new Reader(tokens);
  const name = reader.take('name');
  const args = name === null ? null : reader.list('(', ')', () => reader.value());
  if (name === null || args === null) return null;
  while (reader.accept(';'));
  return reader.isAtEnd ? { name, args } : null;
}

function tokensOf(script: string): Token[] | null {
  if (script.length > MAX_SCRIPT) return null;
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < script.length) {
    const match = TOKEN.exec(script);
    if (match === null) return null;
    const [, name, number, string, mark] = match;
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (string !== undefined) tokens.push({ kind: 'string', text: unquoted(string) });
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
  }
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

function unquoted(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))/gs, (_, unicode, byte, other: string) => {
      const code = (unicode ?? byte) as string | undefined;
      return code === undefined ? (ESCAPES[other] ?? other) : String.fromCharCode(Number.parseInt(code, 16));
    });
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  take(kind: Token['kind']): string | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind) return null;
    this.#at += 1;
    return token.text;
  }

  accept(mark: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'mark' || token.text !== mark) return false;
    this.#at += 1;
    return true;
  }

  list<Item>(open: string, close: string, item: () => Item | null): Item[] | null {
    if (!this.accept(open)) return null;
    const items: Item[] = [];
    if (this.accept(close)) return items;
    do {
      const one = item();
      if (one === null) return null;
      items.push(one);
    } while (this.accept(','));
    return this.accept(close) ? items : null;
  }

  /** Reads a text, a number, true, false, `["a", "b"]` or `new Array("a", "b")`. */
  value(): Literal | null {
    const text = this.take('string');
    if (text !== null) return text;
    const number = this.take('number');
    if (number !== null) return Number(number);
    const strings = () => this.take('string');
    const array = this.list('[', ']', strings);
    if (array !== null) return array;
    const name = this.take('name');
    if (name === 'true' || name === 'false') return name === 'true';
    return name === 'new' && this.take('name') === 'Array' ? this.list('(', ')', strings) : null;
  }
}
