/**
 * Reads the two-byte codes of a /ToUnicode CMap (ISO 32000-2 §9.10.3) that map to one UTF-16 unit. Codes that map to
 * several characters, or to one beyond the first plane, are omitted.
 */
export function readToUnicode(cmap: string): Map<number, number> {
  const codes = new Map<number, number>();
  const put = (code: number, unit: number) => {
    if (codes.size < MAX_CODES && code <= 0xffff && unit <= 0xffff) codes.set(code, unit);
  };
  for (const [, body = ''] of cmap.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code = '', text = ''] of body.matchAll(/<([0-9A-Fa-f]{4})>\s*<([0-9A-Fa-f]{4})>/g)) {
      put(hex(code), hex(text));
    }
  }
  for (const [, body = ''] of cmap.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, first = '', last = '', text, list] of body.matchAll(RANGE)) {
      const [from, to] = [hex(first), hex(last)];
      const units =
        list === undefined ? null : [...list.matchAll(/<([0-9A-Fa-f]*)>/g)].map(([, unit = '']) => unit);
      for (let code = from; code <= to; code += 1) {
        if (units === null) put(code, hex(text ?? '') + code - from);
        else if (units[code - from]?.length === 4) put(code, hex(units[code - from] ?? ''));
      }
    }
  }
  return codes;
}

const MAX_CODES = 65_536;
const RANGE =
  /<([0-9A-Fa-f]{4})>\s*<([0-9A-Fa-f]{4})>\s*(?:<([0-9A-Fa-f]{4})>|\[((?:\s*<[0-9A-Fa-f]*>)*)\s*\])/g;
const hex = (digits: string) => Number.parseInt(digits, 16);
