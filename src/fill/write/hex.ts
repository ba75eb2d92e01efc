const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal of the first `length` bytes. */
export function hex(bytes: Uint8Array, length = bytes.length): string {
  let text = '';
  for (let at = 0; at < length; at += 1) text += PAIRS[bytes[at] ?? 0] ?? '';
  return text;
}
