/**
 * Error correction codewords of QR symbols (ISO/IEC 18004, 7.5.2): the remainder of the data, as a polynomial over GF(256) with
 * the modulus x⁸ + x⁴ + x³ + x² + 1, divided by the generator of its degree.
 */
const MODULUS = 0x11d;

/** Powers of 2, stored twice so that the sum of two logarithms needs no modulo. */
const POWER = new Uint8Array(510);
const LOGARITHM = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  POWER[exponent] = value;
  POWER[exponent + 255] = value;
  LOGARITHM[value] = exponent;
  value <<= 1;
  if (value > 0xff) value ^= MODULUS;
}

function product(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return POWER[(LOGARITHM[a] as number) + (LOGARITHM[b] as number)] as number;
}

/** For each degree in use: the generator times every byte, `degree` coefficients each, the highest first. */
const multiples: Uint8Array[] = [];

function multiplesOf(degree: number): Uint8Array {
  multiples[degree] ??= computeMultiples(degree);
  return multiples[degree];
}

function computeMultiples(degree: number): Uint8Array {
  const table = new Uint8Array(256 * degree);
  const generator = generatorOf(degree);
  for (let factor = 0; factor < 256; factor += 1) {
    generator.forEach((coefficient, index) => {
      table[factor * degree + index] = product(coefficient, factor);
    });
  }
  return table;
}

/** (x − 2⁰)(x − 2¹)…, without its leading one. */
function generatorOf(degree: number): number[] {
  let coefficients = [1];
  for (let exponent = 0; exponent < degree; exponent += 1) {
    const root = POWER[exponent] as number;
    coefficients = [...coefficients, 0].map(
      (coefficient, index) => coefficient ^ product(root, coefficients[index - 1] ?? 0),
    );
  }
  return coefficients.slice(1);
}

/** Writes `degree` codewords for data[from, to) to `out` at `at`. */
export function writeCorrection(
  data: Uint8Array,
  from: number,
  to: number,
  degree: number,
  out: Uint8Array,
  at: number,
): void {
  const table = multiplesOf(degree);
  const last = at + degree - 1;
  out.fill(0, at, at + degree);
  for (let index = from; index < to; index += 1) {
    let multiple = ((data[index] as number) ^ (out[at] as number)) * degree;
    for (let place = at; place < last; place += 1, multiple += 1) {
      out[place] = (out[place + 1] as number) ^ (table[multiple] as number);
    }
    out[last] = table[multiple] as number;
  }
}
