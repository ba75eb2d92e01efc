import { zlibSync } from 'fflate';

/** A PNG without checksums, which our reader does not ask for. `header` is the body of IHDR, `lines` begin with a filter byte. */
export function smallPng(header: readonly number[], lines: readonly number[]): Uint8Array {
  const chunk = (type: string, body: Uint8Array) => {
    const out = new Uint8Array(12 + body.length);
    new DataView(out.buffer).setUint32(0, body.length);
    out.set(new TextEncoder().encode(type), 4);
    out.set(body, 8);
    return out;
  };
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', Uint8Array.from(header)),
    ...chunk('IDAT', zlibSync(Uint8Array.from(lines))),
    ...chunk('IEND', new Uint8Array()),
  ]);
}
