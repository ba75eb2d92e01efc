/** Returns a version 4 UUID; `crypto.randomUUID` is missing on pages served over plain http. */
export function newCorrelationId(random: Uint8Array = crypto.getRandomValues(new Uint8Array(16))): string {
  const hex = Array.from(random, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
