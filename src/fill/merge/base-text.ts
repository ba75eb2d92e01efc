/**
 * Objects of a base as our own writer writes them (prepare/graph-writer.ts): one space after a key, strings in
 * hexadecimal, generation 0, no comments. Values are kept as text and split into their members on request.
 */

/** The items of an array; null for anything else. */
export function itemsOf(text: string): string[] | null {
  return text.startsWith('[') ? membersOf(text) : null;
}

/** The entries of a dictionary, keys with their slash; of a stream, those of its dictionary. Null for anything else. */
export function entriesOf(text: string): Map<string, string> | null {
  const members = text.startsWith('<<') ? membersOf(text) : null;
  if (members === null) return null;
  const entries = new Map<string, string>();
  for (let at = 0; at + 1 < members.length; at += 2) entries.set(members[at] ?? '', members[at + 1] ?? '');
  return entries;
}

export function dictionaryOf(entries: Iterable<readonly [key: string, value: string]>): string {
  let text = '';
  for (const [key, value] of entries) text += `${key} ${value}`;
  return `<<${text}>>`;
}

export function referenceOf(text: string): number | null {
  const number = /^(\d+) 0 R$/.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

// A string is a separate token, because the end of a string and of a dictionary look alike: `<656e>>>`.
const TOKEN = /<<|>>|<[^<>]*>|\[|\]|\/[^\s/<>[\]]*|\d+ 0 R|[^\s/<>[\]]+/g;

/** The text directly inside the first bracket; null if it is never closed. */
function membersOf(text: string): string[] | null {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token === '<<' || token === '[') {
      if (depth === 1) start = match.index;
      depth += 1;
    } else if (token === '>>' || token === ']') {
      depth -= 1;
      if (depth === 0) return members;
      if (depth === 1) members.push(text.slice(start, match.index + token.length));
    } else if (depth === 1) {
      members.push(token);
    }
  }
  return null;
}
