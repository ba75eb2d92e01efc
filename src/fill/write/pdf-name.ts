const encoder = new TextEncoder();
const PLAIN_NAME = /^[!"$&'*+,\-.0-9:;=?@A-Z\\^_`a-z|~]*$/;

/** Writes a name object (ISO 32000-2 §7.3.5). Bytes that must be escaped become #xx. */
export function escapeName(name: string): string {
  if (PLAIN_NAME.test(name)) return `/${name}`;
  let escaped = '/';
  for (const byte of encoder.encode(name)) {
    const letter = String.fromCharCode(byte);
    escaped +=
      byte > 0x20 && byte < 0x7f && PLAIN_NAME.test(letter)
        ? letter
        : `#${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
