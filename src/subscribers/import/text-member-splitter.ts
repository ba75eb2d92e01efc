/** The body is not JSON, or has the member twice. */
export class UnreadableBody extends Error {}

/** `\uXXXX` is the longest escape. */
const LONGEST_ESCAPE = 6;

/**
 * Extracts one text member from a JSON object while the text arrives: the member can be as large as a file, the rest is
 * small. `push` returns the decoded part of the member's value. In the rest, a short placeholder replaces the value;
 * `JSON.parse` then validates it.
 */
export class TextMemberSplitter {
  readonly #member: string;
  #rest = '';
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** Start of the current string in the rest. */
  #stringStart = 0;
  #key: string | undefined;
  #isValue = false;
  #inMember = false;
  /** An incomplete escape or surrogate pair at the end of the last chunk. */
  #held = '';
  #found = false;
  #isEmpty = true;

  constructor(member: string) {
    this.#member = member;
  }

  /** The object, with `"x"` in place of a non-empty value. */
  get rest(): string {
    return this.#rest;
  }

  /** Whether the object has the member as a non-empty text. */
  get hasText(): boolean {
    return this.#found && !this.#isEmpty;
  }

  push(chunk: string): string {
    let text = '';
    let at = 0;
    while (at < chunk.length) {
      if (this.#inMember) {
        const piece = this.#readMember(this.#held + chunk.slice(at));
        text += piece.text;
        at = chunk.length - piece.left;
      } else at = this.#readRest(chunk, at);
    }
    return text;
  }

  /** Must be called after the last chunk. */
  end(): void {
    if (this.#inMember) throw new UnreadableBody('is not valid JSON');
  }

  /** Reads to the end of the value or of the chunk; `left` is the length of the chunk after the value. */
  #readMember(source: string): { readonly text: string; readonly left: number } {
    const close = closingQuote(source);
    const isOver = close !== -1;
    const at = isOver ? close : completeLength(source);
    let text = unescaped(source.slice(0, at));
    this.#held = isOver ? '' : source.slice(at);
    // The other half of this character is in the next chunk.
    if (!isOver && isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#held = `\\u${text.charCodeAt(text.length - 1).toString(16)}${this.#held}`;
      text = text.slice(0, -1);
    }
    if (text !== '') this.#isEmpty = false;
    if (!isOver) return { text, left: 0 };
    this.#inMember = false;
    this.#rest += this.#isEmpty ? '""' : '"x"';
    return { text, left: source.length - at - 1 };
  }

  /** Copies the text before the member's value to the rest. */
  #readRest(chunk: string, start: number): number {
    for (let at = start; at < chunk.length; at += 1) {
      const c = chunk[at] as string;
      if (!this.#inString && c === '"' && this.#isMemberValue()) {
        if (this.#found) throw new UnreadableBody(`has ${this.#member} twice`);
        this.#found = true;
        this.#inMember = true;
        this.#rest += chunk.slice(start, at);
        return at + 1;
      }
      if (this.#inString) this.#takeInString(c, () => this.#rest + chunk.slice(start, at + 1));
      else this.#takeStructure(c, this.#rest.length + at - start);
    }
    this.#rest += chunk.slice(start);
    return chunk.length;
  }

  #isMemberValue(): boolean {
    return this.#depth === 1 && this.#isValue && this.#key === this.#member;
  }

  #takeInString(c: string, soFar: () => string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (c === '\\') this.#isEscaped = true;
    else if (c === '"') {
      this.#inString = false;
      if (this.#depth === 1 && !this.#isValue) this.#key = keyOf(soFar().slice(this.#stringStart));
    }
  }

  #takeStructure(c: string, position: number): void {
    if (c === '"') {
      this.#inString = true;
      this.#stringStart = position;
    } else if (c === '{' || c === '[') this.#depth += 1;
    else if (c === '}' || c === ']') this.#depth -= 1;
    else if (this.#depth === 1 && (c === ':' || c === ',')) this.#isValue = c === ':';
  }
}

/**
 * Returns the end of the string that starts here; -1 if it has not arrived. Searches once per quote: once per escape
 * takes four times as long.
 */
function closingQuote(source: string): number {
  for (let quote = source.indexOf('"'); quote !== -1; quote = source.indexOf('"', quote + 1))
    if (backslashesBefore(source, quote) % 2 === 0) return quote;
  return -1;
}

/** Length of the text up to its last complete escape. */
function completeLength(source: string): number {
  const slash = source.lastIndexOf('\\');
  if (slash === -1 || source.length - slash >= LONGEST_ESCAPE) return source.length;
  if (backslashesBefore(source, slash) % 2 === 1) return source.length;
  const length = source[slash + 1] === 'u' ? LONGEST_ESCAPE : 2;
  return slash + length > source.length ? slash : source.length;
}

function backslashesBefore(source: string, at: number): number {
  let count = 0;
  while (source[at - 1 - count] === '\\') count += 1;
  return count;
}

function unescaped(source: string): string {
  try {
    return JSON.parse(`"${source}"`) as string;
  } catch {
    throw new UnreadableBody('is not valid JSON');
  }
}

function keyOf(source: string): string | undefined {
  try {
    return JSON.parse(source) as string;
  } catch {
    return undefined;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
