/**
 * One message on a pipe: a JSON head and some byte blocks. Layout: length of the head (4 bytes, little endian), the head, the
 * blocks one after another; the head lists their lengths. The receiver checks all sizes, because the sender may be a process
 * that has just parsed a hostile file.
 */
export interface Message {
  readonly head: unknown;
  readonly blocks: readonly Uint8Array[];
}

export function encodeMessage({ head, blocks }: Message): Uint8Array[] {
  const text = new TextEncoder().encode(
    JSON.stringify({ head, lengths: blocks.map((block) => block.length) }),
  );
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, text.length, true);
  return [size, text, ...blocks];
}

/** Throws if the bytes are not exactly one message. */
export function decodeMessage(bytes: Uint8Array): Message {
  if (bytes.length < 4) throw new Error('the message is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headEnd = 4 + view.getUint32(0, true);
  if (headEnd > bytes.length) throw new Error('the message head is cut off');
  const parsed: unknown = JSON.parse(
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(4, headEnd)),
  );
  if (typeof parsed !== 'object' || parsed === null || !('head' in parsed) || !('lengths' in parsed)) {
    throw new Error('the message has no head');
  }
  const { lengths } = parsed;
  if (!Array.isArray(lengths)) throw new Error('the message lists no blocks');
  const blocks: Uint8Array[] = [];
  let at = headEnd;
  for (const length of lengths) {
    if (!Number.isSafeInteger(length) || length < 0 || at + length > bytes.length) {
      throw new Error('a block of the message is cut off');
    }
    blocks.push(bytes.subarray(at, at + length));
    at += length;
  }
  if (at !== bytes.length) throw new Error('the message has extra bytes');
  return { head: parsed.head, blocks };
}
