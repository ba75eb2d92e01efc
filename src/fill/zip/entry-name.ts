const encoder = new TextEncoder();

/** An entry's name in the ZIP, in UTF-8. Nearly all names are ASCII and do not need the slower encoder. */
export function nameLength(name: string): number {
  return isAscii(name) ? name.length : encoder.encode(name).length;
}

/** Returns the number of bytes. */
export function writeName(bytes: Uint8Array, at: number, name: string): number {
  if (!isAscii(name)) return encoder.encodeInto(name, bytes.subarray(at)).written;
  for (let index = 0; index < name.length; index += 1) bytes[at + index] = name.charCodeAt(index);
  return name.length;
}

function isAscii(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) if (name.charCodeAt(at) > 0x7f) return false;
  return true;
}
