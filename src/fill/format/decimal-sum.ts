import { type InputDecimal, readDecimal } from './read-decimal.ts';

/** Longer numbers are not added, which limits the work for `1e400`. */
const MAX_EXPONENT = 400;

/** Adds numbers as they are written, without floating point: 0.1 and 0.2 are 0.3, and every digit of a long number counts. */
export class DecimalSum {
  #units = 0n;
  #decimals = 0;

  /** Adds a number. Returns false if `text` is not a number with that decimal sign. */
  add(text: string, sign: InputDecimal): boolean {
    const read = readDecimal(text, sign);
    if (read === null || Math.abs(read.exponent) > MAX_EXPONENT) return false;
    const shift = read.fraction.length - read.exponent;
    const digits = BigInt(read.whole + read.fraction + '0'.repeat(Math.max(0, -shift)));
    const decimals = Math.max(0, shift);
    if (decimals > this.#decimals) {
      this.#units *= 10n ** BigInt(decimals - this.#decimals);
      this.#decimals = decimals;
    }
    const units = digits * 10n ** BigInt(this.#decimals - decimals);
    this.#units += read.negative ? -units : units;
    return true;
  }

  /** The sum with a decimal point and as many decimals as the number with the most. */
  toString(): string {
    const negative = this.#units < 0n;
    const digits = (negative ? -this.#units : this.#units).toString().padStart(this.#decimals + 1, '0');
    const whole = digits.slice(0, digits.length - this.#decimals);
    const fraction = digits.slice(digits.length - this.#decimals);
    return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }
}
