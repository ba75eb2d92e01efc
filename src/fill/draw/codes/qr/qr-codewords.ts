import { blocksOf, LARGEST_VERSION, type QrBlocks, type QrLevel } from './qr-capacity.ts';
import { writeCorrection } from './reed-solomon.ts';

/**
 * Encodes a text as the codewords of a QR symbol (ISO/IEC 18004, 7.4–7.6): one segment in the densest mode that can hold the
 * whole text, in the smallest version, padded, with its error correction, interleaved.
 */
export interface QrCodewords {
  readonly version: number;
  /** Valid until the next call: the buffer is reused. */
  readonly bytes: Uint8Array;
  readonly length: number;
}

const MOST_CODEWORDS = 3706; // version 40
const MOST_TEXT_BYTES = 2953; // version 40 at level L
const PADS = [0xec, 0x11] as const;

const encoder = new TextEncoder();
const text8 = new Uint8Array(MOST_TEXT_BYTES + 3);
const data = new Uint8Array(MOST_CODEWORDS);
const correction = new Uint8Array(MOST_CODEWORDS);
const interleaved = new Uint8Array(MOST_CODEWORDS);

/** A mode's indicator, and the width of its character count in versions 1–9, 10–26 and 27–40. */
interface Mode {
  readonly indicator: number;
  readonly countBits: readonly [number, number, number];
}
const NUMERIC: Mode = { indicator: 1, countBits: [10, 12, 14] };
const ALPHANUMERIC: Mode = { indicator: 2, countBits: [9, 11, 13] };
const BYTE: Mode = { indicator: 4, countBits: [8, 16, 16] };

/** Returns undefined if the text does not fit the largest symbol. */
export function qrCodewords(text: string, level: QrLevel): QrCodewords | undefined {
  const mode = modeOf(text);
  const count = mode === BYTE ? writeUtf8(text) : text.length;
  const version = smallestVersion(mode, count, level);
  if (version === 0) return undefined;
  const blocks = blocksOf(version, level);
  const bits = new BitWriter(data);
  bits.put(mode.indicator, 4);
  bits.put(count, countBits(mode, version));
  if (mode === BYTE) for (let index = 0; index < count; index += 1) bits.put(text8[index] as number, 8);
  else if (mode === NUMERIC) putDigits(bits, text);
  else putPairs(bits, text);
  pad(bits.finish(blocks.dataCodewords), blocks.dataCodewords);
  return { version, bytes: interleaved, length: interleave(blocks) };
}

/** The table of 45 characters (7.4.4); -1 for all others. The ten digits come first. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
const ALPHABET_INDEX = new Int8Array(128).fill(-1);
for (let index = 0; index < ALPHABET.length; index += 1) ALPHABET_INDEX[ALPHABET.charCodeAt(index)] = index;

function indexOf(text: string, at: number): number {
  return ALPHABET_INDEX[text.charCodeAt(at)] as number;
}

function modeOf(text: string): Mode {
  let mode = NUMERIC;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const index = code < 128 ? (ALPHABET_INDEX[code] as number) : -1;
    if (index < 0) return BYTE;
    if (index > 9) mode = ALPHANUMERIC;
  }
  return mode;
}

/** Encodes into `text8` and returns the number of bytes. A text that was cut off has too many for any symbol. */
function writeUtf8(text: string): number {
  if (text.length > MOST_TEXT_BYTES) return MOST_TEXT_BYTES + 1;
  const { read, written } = encoder.encodeInto(text, text8);
  return read < text.length ? MOST_TEXT_BYTES + 1 : written;
}

function countBits({ countBits }: Mode, version: number): number {
  return version < 10 ? countBits[0] : version < 27 ? countBits[1] : countBits[2];
}

/** Returns 0 if there is none. */
function smallestVersion(mode: Mode, count: number, level: QrLevel): number {
  const bits = payloadBits(mode, count);
  for (let version = 1; version <= LARGEST_VERSION; version += 1) {
    if (4 + countBits(mode, version) + bits <= 8 * blocksOf(version, level).dataCodewords) return version;
  }
  return 0;
}

function payloadBits(mode: Mode, count: number): number {
  if (mode === BYTE) return 8 * count;
  if (mode === ALPHANUMERIC) return 11 * (count >> 1) + 6 * (count & 1);
  const rest = count % 3;
  return 10 * ((count - rest) / 3) + (rest === 0 ? 0 : 3 * rest + 1);
}

/** Three digits in ten bits, the last two in seven, a last one in four. */
function putDigits(bits: BitWriter, text: string): void {
  let at = 0;
  for (; at + 2 < text.length; at += 3) {
    bits.put(indexOf(text, at) * 100 + indexOf(text, at + 1) * 10 + indexOf(text, at + 2), 10);
  }
  if (at + 1 < text.length) bits.put(indexOf(text, at) * 10 + indexOf(text, at + 1), 7);
  else if (at < text.length) bits.put(indexOf(text, at), 4);
}

/** Two characters in eleven bits, a last one in six. */
function putPairs(bits: BitWriter, text: string): void {
  let at = 0;
  for (; at + 1 < text.length; at += 2) bits.put(indexOf(text, at) * 45 + indexOf(text, at + 1), 11);
  if (at < text.length) bits.put(indexOf(text, at), 6);
}

/** The highest bit of a codeword first. */
class BitWriter {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** Bits that do not fill a byte yet. */
  #held = 0;
  #heldBits = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** At most 16 bits. */
  put(value: number, bits: number): void {
    let held = (this.#held << bits) | value;
    let heldBits = this.#heldBits + bits;
    for (; heldBits >= 8; heldBits -= 8) {
      this.#bytes[this.#at] = held >> (heldBits - 8);
      this.#at += 1;
      held &= (1 << (heldBits - 8)) - 1;
    }
    this.#held = held;
    this.#heldBits = heldBits;
  }

  /** Adds the terminator (up to four zeros, if they fit), fills the last byte, and returns the number of bytes. */
  finish(room: number): number {
    this.put(0, Math.min(4, 8 * (room - this.#at) - this.#heldBits));
    if (this.#heldBits > 0) this.put(0, 8 - this.#heldBits);
    return this.#at;
  }
}

function pad(from: number, to: number): void {
  for (let at = from; at < to; at += 1) data[at] = PADS[(at - from) & 1] as number;
}

/** Interleaves the blocks: their first codewords, their second ones and so on. Local damage then affects all blocks equally. */
function interleave({
  blocks,
  shortBlocks,
  shortLength,
  correction: degree,
  dataCodewords,
}: QrBlocks): number {
  let at = 0;
  for (let block = 0, from = 0; block < blocks; block += 1) {
    const to = from + shortLength + (block < shortBlocks ? 0 : 1);
    writeCorrection(data, from, to, degree, correction, block * degree);
    from = to;
  }
  for (let index = 0; index < shortLength; index += 1) {
    for (let block = 0, from = index; block < blocks; block += 1, at += 1) {
      interleaved[at] = data[from] as number;
      from += shortLength + (block < shortBlocks ? 0 : 1);
    }
  }
  // The last codewords of the longer blocks, which are at the end of the data.
  const longBlocks = blocks - shortBlocks;
  for (let block = longBlocks - 1; block >= 0; block -= 1, at += 1) {
    interleaved[at] = data[dataCodewords - 1 - block * (shortLength + 1)] as number;
  }
  for (let index = 0; index < degree; index += 1) {
    for (let block = 0; block < blocks; block += 1, at += 1) {
      interleaved[at] = correction[block * degree + index] as number;
    }
  }
  return at;
}
