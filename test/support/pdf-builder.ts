/**
 * Writes small PDFs for tests, object by object, exactly as specified. Shares no code with the product's own writer, so
 * the same bug cannot be on both sides.
 */
export class PdfBuilder {
  readonly #objects = new Map<number, { body: string; stream: Uint8Array | undefined }>();
  #next = 1;

  reserve(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  add(body: string, stream?: string | Uint8Array): number {
    const num = this.reserve();
    this.set(num, body, stream);
    return num;
  }

  set(num: number, body: string, stream?: string | Uint8Array): void {
    this.#objects.set(num, {
      body,
      stream: typeof stream === 'string' ? Buffer.from(stream, 'latin1') : stream,
    });
  }

  build(root: number, trailer = ''): Uint8Array {
    const parts: Buffer[] = [Buffer.from('%PDF-1.6\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let length = parts[0]?.length ?? 0;
    const offsets = new Map<number, number>();
    const put = (chunk: Buffer) => {
      parts.push(chunk);
      length += chunk.length;
    };
    for (const [num, { body, stream }] of [...this.#objects].sort(([a], [b]) => a - b)) {
      offsets.set(num, length);
      const dict = stream === undefined ? body : body.replace(/>>$/, `/Length ${stream.length}>>`);
      put(Buffer.from(`${num} 0 obj\n${dict}\n`, 'latin1'));
      if (stream !== undefined) {
        put(Buffer.from('stream\n'));
        put(Buffer.from(stream));
        put(Buffer.from('\nendstream\n'));
      }
      put(Buffer.from('endobj\n'));
    }
    const startxref = length;
    let table = `xref\n0 ${this.#next}\n0000000000 65535 f \n`;
    for (let num = 1; num < this.#next; num += 1) {
      const offset = offsets.get(num);
      table +=
        offset === undefined ? '0000000000 00000 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
    }
    put(
      Buffer.from(
        `${table}trailer\n<</Size ${this.#next}/Root ${root} 0 R${trailer}>>\nstartxref\n${startxref}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}
