import { RowsRefused } from '../rows/rows-refused.ts';

/**
 * Splits the text of one top-level JSON array into the texts of its elements while it arrives, so that 64 MB of rows
 * never become one object graph. It follows strings, escapes and brackets only; each element is parsed (and so
 * validated) on its own. Depth is counted as it grows: 100,000 opening brackets are refused at the 33rd.
 */
const MAX_JSON_DEPTH = 32;

type State = 'before' | 'first' | 'element' | 'next' | 'after';

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const BOM = 0xfeff;

export class JsonArraySplitter {
  #state: State = 'before';
  /** Text of the unfinished element. */
  #partial = '';
  #depth = 0;
  #inString = false;
  #escaped = false;

  push(text: string): string[] {
    const elements: string[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#state === 'element') {
        if (this.#endsElement(code)) {
          elements.push(this.#partial + text.slice(start, at));
          this.#partial = '';
          this.#state = code === COMMA ? 'next' : 'after';
        }
      } else if (isSpace(code) || (code === BOM && this.#state === 'before')) {
        // between elements
      } else if (this.#state === 'before') {
        if (code !== OPEN_BRACKET)
          refuse(`is not an array of objects: it begins with ${String.fromCharCode(code)}`);
        this.#state = 'first';
      } else if (this.#state === 'after') {
        refuse('has text after the array');
      } else if (code === CLOSE_BRACKET && this.#state === 'first') {
        this.#state = 'after';
      } else if (code === COMMA || code === CLOSE_BRACKET) {
        refuse('has a comma without an element');
      } else {
        this.#state = 'element';
        start = at;
        this.#endsElement(code);
      }
    }
    if (this.#state === 'element') this.#partial += text.slice(start);
    return elements;
  }

  end(): void {
    if (this.#state !== 'after') refuse(this.#state === 'before' ? 'is empty' : 'ends inside the array');
  }

  /** Takes one character of an element; true when it stands after the element's end. */
  #endsElement(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#inString = false;
      return false;
    }
    switch (code) {
      case QUOTE:
        this.#inString = true;
        return false;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#depth += 1;
        // The array around the elements is the first level.
        if (this.#depth + 1 > MAX_JSON_DEPTH) refuse(`is nested more than ${MAX_JSON_DEPTH} levels deep`);
        return false;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (this.#depth === 0) {
          if (code === CLOSE_BRACKET) return true;
          refuse('has an unmatched bracket');
        }
        this.#depth -= 1;
        return false;
      case COMMA:
        return this.#depth === 0;
      default:
        return false;
    }
  }
}

function refuse(what: string): never {
  throw new RowsRefused('INVALID_ROWS_JSON', `The rows JSON ${what}.`);
}

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;
