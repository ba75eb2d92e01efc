/**
 * SHA-256 and HMAC-SHA256 (FIPS 180-4, FIPS 198-1) without WebCrypto, which is asynchronous and missing on pages without
 * TLS. So webhooks are verified synchronously everywhere.
 */
const BLOCK = 64;
const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
};
/** The first 32 bits of the fraction. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 0x1_0000_0000) | 0;
const K = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

export class Sha256 {
  readonly #state = START.slice();
  readonly #block = new Uint8Array(BLOCK);
  readonly #view = new DataView(this.#block.buffer);
  readonly #words = new Int32Array(BLOCK);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(BLOCK - this.#filled, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled === BLOCK) this.#compress();
    }
    return this;
  }

  digest(): Uint8Array {
    const bits = this.#length * 8;
    const zeros = (BLOCK * 2 - 9 - this.#filled) % BLOCK;
    const end = new Uint8Array(1 + zeros + 8);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(1 + zeros, Math.floor(bits / 0x1_0000_0000));
    view.setUint32(5 + zeros, bits >>> 0);
    this.update(end);
    const digest = new Uint8Array(32);
    const out = new DataView(digest.buffer);
    this.#state.forEach((word, index) => {
      out.setInt32(index * 4, word);
    });
    return digest;
  }

  #compress(): void {
    const w = this.#words;
    for (let t = 0; t < 16; t += 1) w[t] = this.#view.getInt32(t * 4);
    for (let t = 16; t < BLOCK; t += 1) {
      const a = w[t - 15] as number;
      const b = w[t - 2] as number;
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0;
    }
    const state = this.#state;
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let t = 0; t < BLOCK; t += 1) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + (K[t] as number) + (w[t] as number)) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => {
      state[index] = ((state[index] as number) + word) | 0;
    });
    this.#filled = 0;
  }
}

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

export function hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? new Sha256().update(key).digest() : key);
  const inner = new Sha256().update(padded.map((byte) => byte ^ 0x36));
  for (const part of parts) inner.update(part);
  return new Sha256()
    .update(padded.map((byte) => byte ^ 0x5c))
    .update(inner.digest())
    .digest();
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
