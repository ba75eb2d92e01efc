/**
 * Parses untrusted JSON. `JSON.parse` accepts an array nested 100,000 deep, and only a later `JSON.stringify`
 * overflows the stack; a member named `__proto__` becomes a prototype once objects are merged. Both are rejected.
 */
export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export const MAX_JSON_DEPTH = 32;

export function parseJson(bytes: Uint8Array, maxDepth: number = MAX_JSON_DEPTH): JsonResult {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, reason: 'is not UTF-8' };
  }
  if (isDeeperThan(text, maxDepth)) return { ok: false, reason: `is nested more than ${maxDepth} deep` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'is not valid JSON' };
  }
  if (MAY_NAME_PROTO.test(text) && hasProtoMember(value))
    return { ok: false, reason: 'has a member named __proto__' };
  return { ok: true, value };
}

/** The name itself, or an escape of one of its letters: `_`, `p`, `r`, `o`, `t`. Other escapes are ordinary text. */
const MAY_NAME_PROTO = /__proto__|\\u00(?:5f|6f|7[024])/i;

/** A loop with its own stack. A reviver visits the same members, but takes half a second per megabyte. */
export function hasProtoMember(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) return true;
    for (const member of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return false;
}

/** One pass over the structure. It skips strings with `indexOf`, because most bytes are in strings. */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      i = endOfString(text, i);
    } else if (c === 0x5b || c === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (c === 0x5d || c === 0x7d) depth -= 1;
  }
  return false;
}

/** Returns the index of the closing quote, or the length of the text if there is none. */
export function endOfString(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
