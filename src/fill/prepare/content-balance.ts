/**
 * Counts unbalanced operators. Real pages leave graphics state behind: more `q` than `Q`, more `Q` than `q`, an open text
 * object. The slot must be drawn in the page's initial state, so the imbalance is counted and undone (ISO 32000-2 §8.4.2,
 * §7.8.2). Only tokens are read; operands are never interpreted.
 */
export interface ContentBalance {
  /** `q` operators to put before the content so that no surplus `Q` empties the stack. */
  readonly before: number;
  /** `Q` operators to put after it so that the stack is empty. */
  readonly after: number;
  readonly openText: boolean;
  /** Marked-content sequences that are never ended. */
  readonly openMarks: number;
}

export const ASSUMED_BALANCE: ContentBalance = { before: 1, after: 1, openText: false, openMarks: 0 };

export function contentBalance(content: Uint8Array): ContentBalance {
  let depth = 0;
  let lowest = 0;
  let inText = false;
  let openMarks = 0;
  let at = 0;
  const { length } = content;
  while (at < length) {
    const byte = content[at] ?? 0;
    if (byte === 0x28) at = skipLiteral(content, at);
    else if (byte === 0x3c && content[at + 1] !== 0x3c) at = skipTo(content, at, 0x3e);
    else if (byte === 0x25) at = skipLine(content, at);
    else if (isRegular(byte)) {
      let end = at + 1;
      while (end < length && isRegular(content[end] ?? 0)) end += 1;
      if (end - at === 1 && byte === 0x71) depth += 1;
      else if (end - at === 1 && byte === 0x51) {
        depth -= 1;
        if (depth < lowest) lowest = depth;
      } else if (end - at === 2 && content[at + 1] === 0x54 && (byte === 0x42 || byte === 0x45)) {
        inText = byte === 0x42;
      } else if (end - at === 3 && content[at + 2] === 0x43 && (byte === 0x42 || byte === 0x45)) {
        const second = content[at + 1];
        if (byte === 0x42 && (second === 0x4d || second === 0x44)) openMarks += 1;
        else if (byte === 0x45 && second === 0x4d && openMarks > 0) openMarks -= 1;
      } else if (end - at === 2 && byte === 0x49 && content[at + 1] === 0x44) {
        end = skipInlineImage(content, end);
      }
      at = end;
    } else if (byte === 0x2f) {
      at += 1;
      while (at < length && isRegular(content[at] ?? 0)) at += 1;
    } else at += 1;
  }
  const before = 1 - lowest;
  return { before, after: before + depth, openText: inText, openMarks };
}

function isRegular(byte: number): boolean {
  if (byte <= 0x20) return false;
  switch (byte) {
    case 0x25:
    case 0x28:
    case 0x29:
    case 0x2f:
    case 0x3c:
    case 0x3e:
    case 0x5b:
    case 0x5d:
    case 0x7b:
    case 0x7d:
      return false;
    default:
      return true;
  }
}

function skipLiteral(content: Uint8Array, from: number): number {
  let nesting = 0;
  for (let at = from; at < content.length; at += 1) {
    const byte = content[at];
    if (byte === 0x5c) at += 1;
    else if (byte === 0x28) nesting += 1;
    else if (byte === 0x29) {
      nesting -= 1;
      if (nesting === 0) return at + 1;
    }
  }
  return content.length;
}

function skipTo(content: Uint8Array, from: number, wanted: number): number {
  const at = content.indexOf(wanted, from);
  return at < 0 ? content.length : at + 1;
}

function skipLine(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at += 1;
  return at;
}

/** Image data ends at `EI` between white space, followed by something that looks like text again. */
function skipInlineImage(content: Uint8Array, from: number): number {
  for (let at = from; at < content.length - 1; at += 1) {
    if (content[at] !== 0x45 || content[at + 1] !== 0x49) continue;
    const previous = content[at - 1] ?? 0x20;
    const next = content[at + 2] ?? 0x20;
    if (previous > 0x20 || next > 0x20) continue;
    let looksLikeText = true;
    for (let ahead = at + 2; ahead < Math.min(at + 12, content.length); ahead += 1) {
      const byte = content[ahead] ?? 0;
      if (byte > 0x7e || (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09 && byte !== 0)) {
        looksLikeText = false;
      }
    }
    if (looksLikeText) return at + 2;
  }
  return content.length;
}
