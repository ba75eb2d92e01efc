/** ISO 3166-1 alpha-2 codes and their English names, from the Unicode data that Node.js carries. */
let byName: Map<string, string> | undefined;
const CODE = /^[A-Za-z]{2}$/;

/** Codes that look like countries in that data and are none: regions, groupings and pseudo-locales. */
const NOT_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** A two-letter code in upper case, from a code or an English country name. Undefined: neither. */
export function parseCountry(text: string): string | undefined {
  const trimmed = text.trim();
  const names = countryNames();
  return names.get(CODE.test(trimmed) ? trimmed.toUpperCase() : trimmed.toLowerCase());
}

function countryNames(): Map<string, string> {
  if (byName !== undefined) return byName;
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  for (let first = 65; first <= 90; first += 1) {
    for (let second = 65; second <= 90; second += 1) {
      const code = String.fromCharCode(first, second);
      const name = NOT_COUNTRIES.has(code) ? undefined : names.of(code);
      if (name === undefined) continue;
      // Codes that went out of use stand for their successor (`UK` is GB, `FX` is FR).
      const current = new Intl.Locale(`und-${code}`).region ?? code;
      found.set(code, current);
      found.set(name.toLowerCase(), current);
    }
  }
  byName = found;
  return found;
}
