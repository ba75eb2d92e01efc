const HEADER_LENGTH = 30;
const RECORD_LENGTH = 46;
const ZIP64 = 0x0001;
/** The Info-ZIP field with a second name in UTF-8. Some readers prefer it, others ignore it. */
const UNICODE_PATH = 0x7075;
const U32_MAX = 0xffffffff;

/**
 * Compares the directory at the end of a ZIP with the headers before its entries, so that a reader sees the same files whichever
 * it uses. The order is the same in both, as the server writes it.
 */
export class ArchiveDirectory {
  readonly #entries: string[] = [];
  #records = 0;

  /** Adds the header of an entry with its name and extra fields. Returns false if it has a second name. */
  addEntry(header: Uint8Array, offset: number): boolean {
    const { nameLength, extra } = partsOf(header, 26, HEADER_LENGTH);
    this.#entries.push(keyOf(header.subarray(6, 28), header, HEADER_LENGTH, nameLength, offset));
    return fieldOf(extra, UNICODE_PATH) === undefined;
  }

  /** Adds a record of the directory. Returns its length, 0 if it is not complete yet, or null if no such entry comes next. */
  addRecord(bytes: Uint8Array): number | null {
    if (bytes.length < RECORD_LENGTH) return 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const { nameLength, extra, end } = partsOf(bytes, 28, RECORD_LENGTH);
    const length = end + view.getUint16(32, true);
    if (bytes.length < length) return 0;
    const at = view.getUint32(42, true);
    const offset = at === U32_MAX ? largeOffset(extra) : at;
    const key = keyOf(bytes.subarray(8, 30), bytes, RECORD_LENGTH, nameLength, offset);
    if (key !== this.#entries[this.#records] || fieldOf(extra, UNICODE_PATH) !== undefined) return null;
    this.#records += 1;
    return length;
  }

  get isComplete(): boolean {
    return this.#records === this.#entries.length;
  }
}

/** What a header and its record have in common: flags, method, time, checksum, sizes, name and place. */
function keyOf(common: Uint8Array, bytes: Uint8Array, nameAt: number, nameLength: number, offset: number) {
  const text = new TextDecoder('latin1');
  return `${text.decode(common)}${text.decode(bytes.subarray(nameAt, nameAt + nameLength))}${offset}`;
}

function partsOf(bytes: Uint8Array, lengthsAt: number, nameAt: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const nameLength = view.getUint16(lengthsAt, true);
  const end = nameAt + nameLength + view.getUint16(lengthsAt + 2, true);
  return { nameLength, end, extra: bytes.subarray(nameAt + nameLength, end) };
}

/** The content of an extra field, or undefined if there is none of this kind. */
function fieldOf(extra: Uint8Array, id: number): Uint8Array | undefined {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.length);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === id) return extra.subarray(at + 4, at + 4 + view.getUint16(at + 2, true));
  return undefined;
}

/** The place of an entry beyond 4 GiB. The sizes are smaller, so it is the only number in the field. */
function largeOffset(extra: Uint8Array): number {
  const field = fieldOf(extra, ZIP64);
  if (field?.length !== 8) return Number.NaN;
  return Number(new DataView(field.buffer, field.byteOffset).getBigUint64(0, true));
}
