/**
 * JSON from a stranger. `JSON.parse` takes an array nested 100,000 deep and only a later `JSON.stringify`
 * overflows the stack; a member named `__proto__` becomes a prototype once objects are merged. Both are
 * refused here, before any value exists.
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
  let poisoned = false;
  try {
    // The reviver costs time, so it runs only where the name can be: escaped letters count too.
    const value: unknown = /__proto__|\\u/.test(text)
      ? JSON.parse(text, (key, inner: unknown) => {
          if (key === '__proto__') poisoned = true;
          return inner;
        })
      : JSON.parse(text);
    return poisoned ? { ok: false, reason: 'has a member named __proto__' } : { ok: true, value };
  } catch {
    return { ok: false, reason: 'is not valid JSON' };
  }
}

/** One pass over the structure; strings are jumped over with `indexOf`, which is where the bytes are. */
function isDeeperThan(text: string, maxDepth: number): boolean {
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

function endOfString(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
