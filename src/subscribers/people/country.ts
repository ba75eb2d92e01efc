/** ISO 3166-1 alpha-2 codes and their English names, from the Unicode data of Node.js. */
let byName: Map<string, string> | undefined;
const CODE = /^[A-Za-z]{2}$/;

/** Codes in that data that are not countries: regions, groupings and pseudo-locales. */
const NOT_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Returns the two-letter upper-case code of a code or an English country name; undefined if it is neither. */
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
      // Retired codes map to their successor (`UK` to GB, `FX` to FR).
      const current = new Intl.Locale(`und-${code}`).region ?? code;
      found.set(code, current);
      found.set(name.toLowerCase(), current);
    }
  }
  byName = found;
  return found;
}
