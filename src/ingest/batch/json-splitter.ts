import {
  MAX_ITEM_DEPTH,
  type PayloadSlice,
  type PayloadSplitter,
  SliceCutter,
  type SliceLimits,
  UnreadablePayload,
} from './payload-slice.ts';

/**
 * Finds the elements of `{"items":[…]}` by bytes while they arrive. It follows strings and brackets only;
 * whether an element is JSON is found out where it is parsed. UTF-8 needs no care: bytes of longer
 * characters are all above 0x7f (RFC 3629 section 3).
 */
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Bytes, not characters: a chunk may end inside one. The first three are UTF-8's byte order mark. */
const HEAD = /^(?:\xEF\xBB\xBF)? ?\{ ?"items" ?: ?\[$/;
const TAIL = /^ ?\} ?$/;
/** What stands around the array is short, once runs of white space count as one space. */
const MAX_AROUND = 100;

export class JsonSplitter implements PayloadSplitter {
  readonly #cutter: SliceCutter;
  #state: 'head' | 'items' | 'tail' = 'head';
  #around = '';
  #offset = 0;
  /** Where the current element started; -1 between elements. */
  #element = -1;
  #depth = 0;
  #tooDeep = false;
  #inString = false;
  #escaped = false;
  #expectsElement = false;
  #count = 0;

  readonly #maxItemBytes: number;

  constructor(limits: SliceLimits) {
    this.#maxItemBytes = limits.maxItemBytes;
    this.#cutter = new SliceCutter(limits);
  }

  push(chunk: Buffer): PayloadSlice[] {
    let at = 0;
    if (this.#state === 'head') at = this.#readHead(chunk);
    if (this.#state === 'items') at = this.#readItems(chunk, at);
    if (this.#state === 'tail') this.#surround(chunk.subarray(at).toString('latin1'));
    this.#offset += chunk.length;
    return this.#cutter.take();
  }

  end(): PayloadSlice[] {
    if (this.#state === 'head') throw new UnreadablePayload('The body is not {"items": […]}.');
    if (this.#state === 'items') throw new UnreadablePayload('The body ends inside the items.');
    if (!TAIL.test(this.#around))
      throw new UnreadablePayload('After the items, the body must end: no other member is known.');
    this.#cutter.cut();
    return this.#cutter.take();
  }

  #readHead(chunk: Buffer): number {
    const open = chunk.indexOf(OPEN);
    this.#surround(chunk.subarray(0, open === -1 ? chunk.length : open + 1).toString('latin1'));
    if (open === -1) return chunk.length;
    if (!HEAD.test(this.#around))
      throw new UnreadablePayload('The body is not {"items": […]}: items is missing or not an array.');
    this.#around = '';
    this.#state = 'items';
    return open + 1;
  }

  #surround(text: string): void {
    this.#around = (this.#around + text).replace(/[ \t\r\n]+/g, ' ');
    if (this.#around.length > MAX_AROUND) throw new UnreadablePayload('The body is not {"items": […]}.');
  }

  /** The one loop that sees every byte; its state is kept in locals, which is five times as fast. */
  #readItems(chunk: Buffer, from: number): number {
    let { depth, inString, escaped, element } = {
      depth: this.#depth,
      inString: this.#inString,
      escaped: this.#escaped,
      element: this.#element,
    };
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      if (depth === 0 && (byte === COMMA || byte === CLOSE)) {
        this.#endElement(element, this.#offset + at, byte);
        element = -1;
        if (byte === CLOSE) break;
        continue;
      }
      if (element === -1) element = this.#offset + at;
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_BRACE || byte === OPEN) {
        depth += 1;
        if (depth > MAX_ITEM_DEPTH) this.#tooDeep = true;
      } else if (byte === CLOSE_BRACE || byte === CLOSE) {
        depth -= 1;
        if (depth < 0) throw new UnreadablePayload('The body has a closing bracket too many.');
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    this.#element = element;
    // What came before an oversized element must not wait for its end.
    if (element !== -1 && this.#offset + at - element > this.#maxItemBytes) this.#cutter.cut();
    if (at < chunk.length) {
      this.#state = 'tail';
      return at + 1;
    }
    return at;
  }

  #endElement(start: number, end: number, by: number): void {
    if (start === -1) {
      const emptyArray = by === CLOSE && this.#count === 0 && !this.#expectsElement;
      if (!emptyArray) throw new UnreadablePayload('The items have a comma without an item.');
      return;
    }
    this.#count += 1;
    this.#expectsElement = by === COMMA;
    this.#cutter.add(start, end, undefined, this.#tooDeep);
    this.#tooDeep = false;
  }
}
