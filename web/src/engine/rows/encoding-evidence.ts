import { likelyEncoding } from '#lib/records/csv/likely-encoding.ts';

/** Why a file is not valid UTF-8, and which encoding is likely. The user decides based on the sample. */
export interface EncodingEvidence {
  /** A label of the Encoding Standard, or null if no encoding is more likely than the others. */
  readonly likely: string | null;
  /** Lines of the file that are not plain ASCII, as bytes. */
  readonly sample: Uint8Array;
}

const SCANNED_BYTES = 65_536;
const SAMPLE_LINES = 6;
const LINE_BYTES = 160;
const LF = 0x0a;

/** Null if the file can be decoded: then the problem is something else. */
export async function encodingEvidence(file: Blob): Promise<EncodingEvidence | null> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const fault = marked ? null : await firstFault(file);
  if (fault === null) return null;
  const from = fault.nul ? 0 : await lineStart(file, fault.offset);
  const bytes = new Uint8Array(await file.slice(from, from + SCANNED_BYTES).arrayBuffer());
  return {
    likely: likelyEncoding(bytes),
    // Text with NULs is UTF-16, in which a line does not end with a single byte.
    sample: fault.nul ? bytes.subarray(0, SAMPLE_LINES * LINE_BYTES) : telling(bytes),
  };
}

/** The first byte that is not ASCII in a file that is not valid UTF-8, or the first NUL. */
async function firstFault(file: Blob): Promise<{ offset: number; nul: boolean } | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  let foreign: number | null = null;
  for (let read = 0; ; ) {
    const { value } = await reader.read();
    if (value !== undefined) {
      const nul = value.indexOf(0);
      if (nul >= 0) return { offset: read + nul, nul: true };
      if (foreign === null) {
        const at = value.findIndex((byte) => byte >= 0x80);
        if (at >= 0) foreign = read + at;
      }
    }
    try {
      decoder.decode(value, { stream: value !== undefined });
    } catch {
      return { offset: foreign ?? read, nul: false };
    }
    if (value === undefined) return null;
    read += value.length;
  }
}

async function lineStart(file: Blob, offset: number): Promise<number> {
  const from = Math.max(0, offset - LINE_BYTES);
  const before = new Uint8Array(await file.slice(from, offset).arrayBuffer());
  return from + before.lastIndexOf(LF) + 1;
}

function telling(bytes: Uint8Array): Uint8Array {
  const chosen: number[] = [];
  let lines = 0;
  for (let at = 0; at < bytes.length && lines < SAMPLE_LINES; ) {
    const found = bytes.indexOf(LF, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, Math.min(end, at + LINE_BYTES));
    if (line.some((byte) => byte >= 0x80)) {
      chosen.push(...line, LF);
      lines += 1;
    }
    at = end + 1;
  }
  return Uint8Array.from(chosen);
}
