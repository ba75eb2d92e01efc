import { crc32 } from 'node:zlib';
import { zlibSync } from 'fflate';

/** A chunk of a PNG with its length and checksum. */
export function pngChunk(type: string, body: Uint8Array | readonly number[]): number[] {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), Uint8Array.from(body)]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return [...frame.subarray(0, 4), ...typed, ...frame.subarray(4)];
}

/** Builds a PNG. `header` is the body of IHDR, `lines` begin with a filter byte, `extra` are chunks before the pixels. */
export function smallPng(
  header: readonly number[],
  lines: readonly number[],
  extra: readonly number[] = [],
): Uint8Array {
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...pngChunk('IHDR', header),
    ...extra,
    ...pngChunk('IDAT', zlibSync(Uint8Array.from(lines))),
    ...pngChunk('IEND', []),
  ]);
}
