/**
 * Modules as bits, 32 per word, so that one operation processes 32 modules. The module at (x, y) is bit `x % 32` of word
 * `y × words + ⌊x / 32⌋`. Words are signed because JavaScript's bit operators return signed numbers.
 */
export class BitMatrix {
  readonly size: number;
  /** Words of a line. */
  readonly words: number;
  readonly bits: Int32Array;

  constructor(size: number) {
    this.size = size;
    this.words = (size + 31) >>> 5;
    this.bits = new Int32Array(this.words * size);
  }

  /** The module's word and bit in one number, `word × 32 + bit`. */
  place(x: number, y: number): number {
    return ((y * this.words + (x >>> 5)) << 5) | (x & 31);
  }

  set(x: number, y: number): void {
    const place = this.place(x, y);
    this.bits[place >>> 5] = (this.bits[place >>> 5] as number) | (1 << (place & 31));
  }

  has(x: number, y: number): boolean {
    const place = this.place(x, y);
    return (((this.bits[place >>> 5] as number) >>> (place & 31)) & 1) === 1;
  }
}

/** Counts the bits that are set. */
export function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The number of the lowest set bit. */
export function lowestOne(word: number): number {
  return 31 - Math.clz32(word & -word);
}
