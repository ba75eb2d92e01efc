import { BaseReader } from '../merge/base-reader.ts';
import type { PreparedBase } from '../prepare/prepared-base.ts';
import type { RowPart } from '../row-filler.ts';
import { ByteSink } from '../write/byte-sink.ts';
import { hex } from '../write/hex.ts';
import { writeXref, type XrefEntry } from '../write/xref-table.ts';
import { PERMISSIONS, type RowCipher } from './row-cipher.ts';
import { type ObjectPart, secretParts } from './secret-parts.ts';

interface SplitObject {
  readonly num: number;
  readonly parts: readonly ObjectPart[];
}

const END = '\nendobj\n'.length;
/** Revision 6 belongs to PDF 2.0. The comment marks the file as binary. */
const HEADER = Uint8Array.from('%PDF-2.0\n%\xe2\xe3\xcf\xd3\n', (char) => char.charCodeAt(0));

/**
 * Writes an encrypted row as one whole file: encryption changes every string and stream, so no byte of the base can be
 * shared. The base is split once, and each row encrypts its parts with keys of its own.
 */
export class EncryptedFileWriter {
  readonly #base: PreparedBase;
  readonly #objects: readonly SplitObject[];
  readonly #scratch = new ByteSink();
  readonly #string = new ByteSink();
  #sink!: ByteSink;
  #start = 0;
  #entries: XrefEntry[] = [];

  constructor(base: PreparedBase) {
    this.#base = base;
    const found = [...new BaseReader(base).offsets].sort(([, a], [, b]) => a - b);
    this.#objects = found.map(([num, offset], index) => {
      const next = found[index + 1]?.[1] ?? base.facts.startXref;
      return { num, parts: secretParts(base.bytes.subarray(offset + `${num} 0 obj\n`.length, next - END)) };
    });
  }

  /** Appends the file to `sink`. The result is valid until the sink's next write. */
  write(sink: ByteSink, drawn: RowPart, cipher: RowCipher): Uint8Array {
    this.#sink = sink;
    this.#start = sink.length;
    this.#entries = [];
    const { size, rootNumber, infoNumber, id } = this.#base.facts;
    sink.bytes(HEADER);
    const replaced = new Set([
      ...drawn.slots.map(({ slot }) => slot.num),
      ...drawn.objects.map(({ num }) => num),
    ]);
    for (const { num, parts } of this.#objects) if (!replaced.has(num)) this.#object(num, parts, cipher);
    for (const { slot, content, resources } of drawn.slots) {
      const body = this.#scratch;
      body.clear();
      body.ascii(`${slot.head}${resources}/Length ${content.length}>>\nstream\n`);
      body.bytes(content);
      body.ascii('\nendstream');
      this.#object(slot.num, secretParts(body.view()), cipher);
    }
    for (const { num, body } of drawn.objects) this.#object(num, secretParts(body), cipher);
    const encryption = Math.max(size, ...[...replaced].map((num) => num + 1));
    this.#enter(encryption);
    sink.ascii(`${encryption} 0 obj\n${encryptionDictionary(cipher)}\nendobj\n`);
    const xrefAt = sink.length - this.#start;
    this.#entries.sort((a, b) => a.num - b.num);
    writeXref(sink, this.#entries, true);
    const info = infoNumber === null ? '' : `/Info ${infoNumber} 0 R`;
    sink.ascii(
      `trailer\n<</Size ${encryption + 1}/Root ${rootNumber} 0 R${info}/Encrypt ${encryption} 0 R` +
        `/ID[<${id}><${hex(cipher.id)}>]>>\nstartxref\n${xrefAt}\n%%EOF\n`,
    );
    return sink.view(this.#start);
  }

  #object(num: number, parts: readonly ObjectPart[], cipher: RowCipher): void {
    const sink = this.#sink;
    this.#enter(num);
    sink.ascii(`${num} 0 obj\n`);
    for (const { kind, bytes } of parts) {
      if (kind === 'syntax') sink.bytes(bytes);
      else if (kind === 'stream') cipher.encrypt(sink, bytes);
      else {
        this.#string.clear();
        cipher.encrypt(this.#string, bytes);
        sink.ascii(`<${hex(this.#string.view())}>`);
      }
    }
    sink.ascii('\nendobj\n');
  }

  #enter(num: number): void {
    this.#entries.push({ num, offset: this.#sink.length - this.#start });
  }
}

/** The strings of this dictionary and the file's /ID are never encrypted (ISO 32000-2 §7.6.2). */
function encryptionDictionary({ entries }: RowCipher): string {
  const { U, UE, O, OE, Perms } = entries;
  return (
    '<</Filter/Standard/V 5/R 6/Length 256/CF<</StdCF<</Type/CryptFilter/CFM/AESV3/AuthEvent/DocOpen/Length 32>>>>' +
    `/StmF/StdCF/StrF/StdCF/P ${PERMISSIONS}/EncryptMetadata true` +
    `/U<${hex(U)}>/UE<${hex(UE)}>/O<${hex(O)}>/OE<${hex(OE)}>/Perms<${hex(Perms)}>>>`
  );
}
