/**
 * Writes content-stream operators into one buffer that is reused from row to row. This is the innermost loop of a
 * run, so numbers and strings are written as bytes, without intermediate JavaScript strings.
 *
 * Coordinates are quantised to 1/1000 pt and printed from the integer, as in write/pdf-number.ts. The engine's own formatting
 * of floats never reaches the bytes.
 */
export class ContentWriter {
  bytes = new Uint8Array(16_384);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** Reserves `count` more bytes. The raw writers below require that their caller has reserved them. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  ascii(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    let at = this.length;
    for (let index = 0; index < text.length; index += 1) {
      bytes[at] = text.charCodeAt(index);
      at += 1;
    }
    this.length = at;
  }

  raw(chunk: Uint8Array): void {
    this.reserve(chunk.length);
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
  }

  /** A coordinate and a space after it. */
  num(value: number): void {
    this.fixed(Math.round(value * 1000), 3);
  }

  /** A scale or rotation. They apply to many units, so they have two more digits. */
  factor(value: number): void {
    this.fixed(Math.round(value * 100_000), 5);
  }

  /** `scaled` / 10^decimals without trailing zeros, then a space. */
  fixed(scaled: number, decimals: 3 | 5): void {
    this.reserve(24);
    const { bytes } = this;
    let rest = scaled;
    if (rest < 0) {
      bytes[this.length] = 0x2d;
      this.length += 1;
      rest = -rest;
    }
    const unit = decimals === 3 ? 1000 : 100_000;
    const whole = Math.floor(rest / unit);
    let fraction = rest - whole * unit;
    if (whole !== 0 || fraction === 0) this.#digits(whole);
    if (fraction !== 0) {
      let places: number = decimals;
      while (fraction % 10 === 0) {
        fraction /= 10;
        places -= 1;
      }
      bytes[this.length] = 0x2e;
      const start = this.length + 1;
      for (let at = start + places - 1; at >= start; at -= 1) {
        bytes[at] = 0x30 + (fraction % 10);
        fraction = Math.floor(fraction / 10);
      }
      this.length = start + places;
    }
    bytes[this.length] = 0x20;
    this.length += 1;
  }

  /** A whole number and a space; 0 to 999 come from a table. The caller has reserved 8 bytes or more. */
  int(value: number): void {
    const { bytes } = this;
    let at = this.length;
    if (value >= 0 && value < 1000) {
      const packed = SMALL[value] ?? 0;
      if (value >= 100) {
        bytes[at] = packed >>> 16;
        at += 1;
      }
      if (value >= 10) {
        bytes[at] = (packed >>> 8) & 0xff;
        at += 1;
      }
      bytes[at] = packed & 0xff;
      bytes[at + 1] = 0x20;
      this.length = at + 2;
      return;
    }
    this.fixed(value * 1000, 3);
  }

  #digits(whole: number): void {
    const { bytes } = this;
    let count = 1;
    for (let limit = 10; whole >= limit; limit *= 10) count += 1;
    let rest = whole;
    for (let at = this.length + count - 1; at >= this.length; at -= 1) {
      bytes[at] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.length += count;
  }
}

/** The three ASCII digits of 0–999, packed. */
const SMALL = Int32Array.from(
  { length: 1000 },
  (_, value) =>
    ((0x30 + Math.floor(value / 100)) << 16) |
    ((0x30 + (Math.floor(value / 10) % 10)) << 8) |
    (0x30 + (value % 10)),
);
