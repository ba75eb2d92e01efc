const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Extracts one array member from a JSON object while its bytes arrive. The member can be large and keeps its bytes as
 * they were sent, because JSON numbers are read as text; the rest is small. `push` returns the part of the member in the
 * chunk. In the rest, `[]` replaces the array; `JSON.parse` then validates it.
 */
export class RawMemberSplitter {
  readonly #member: string;
  readonly #rest: Uint8Array[] = [];
  readonly #names: string[] = [];
  #restBytes = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isValue = false;
  #key: number[] | undefined;
  #name: string | undefined;
  #inMember = false;

  constructor(member: string) {
    this.#member = member;
  }

  /** The members of the object in order, including those that are sent twice. */
  get names(): readonly string[] {
    return this.#names;
  }

  get restBytes(): number {
    return this.#restBytes;
  }

  /** The object without the array. */
  rest(): Buffer {
    return Buffer.concat(this.#rest);
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const taken: Uint8Array[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const wasInMember = this.#inMember;
      this.#take(chunk[at] as number);
      if (!wasInMember && this.#inMember) {
        this.#keep(chunk.subarray(start, at));
        this.#keep(PLACEHOLDER);
        start = at;
      } else if (wasInMember && !this.#inMember) {
        taken.push(chunk.subarray(start, at + 1));
        start = at + 1;
      }
    }
    if (this.#inMember) taken.push(chunk.subarray(start));
    else this.#keep(chunk.subarray(start));
    return taken;
  }

  /** Copies: the chunk belongs to the socket. */
  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#rest.push(Uint8Array.from(bytes));
    this.#restBytes += bytes.length;
  }

  #take(byte: number): void {
    if (this.#inString) {
      this.#takeInString(byte);
      return;
    }
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        if (this.#depth === 1 && !this.#isValue) this.#key = [];
        return;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (byte === OPEN_ARRAY && this.#depth === 1 && this.#isValue && this.#name === this.#member)
          this.#inMember = true;
        this.#depth += 1;
        return;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        this.#depth -= 1;
        if (this.#depth === 1) this.#inMember = false;
        return;
      case COLON:
      case COMMA:
        if (this.#depth === 1) this.#isValue = byte === COLON;
    }
  }

  #takeInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      if (this.#key === undefined) return;
      this.#name = nameOf(this.#key);
      if (this.#name !== undefined) this.#names.push(this.#name);
      this.#key = undefined;
      return;
    }
    if (this.#key !== undefined && this.#key.length < MAX_KEY_BYTES) this.#key.push(byte);
  }
}

const PLACEHOLDER = Buffer.from('[]');
/** Longer names are unknown in any case. */
const MAX_KEY_BYTES = 1_000;

/** Undefined: the text is not JSON, which parsing the rest reports. */
function nameOf(bytes: readonly number[]): string | undefined {
  try {
    return JSON.parse(`"${Buffer.from(bytes).toString('utf8')}"`) as string;
  } catch {
    return undefined;
  }
}
