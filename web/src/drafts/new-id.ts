/** 96 random bits as hex. `crypto.randomUUID` is missing on plain http, `getRandomValues` is not. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
