const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const nameOf = (list: typeof BROWSERS, userAgent: string) =>
  list.find(([, pattern]) => pattern.test(userAgent))?.[0];

/** A browser in words: `Firefox on Linux`. */
export function deviceWords(userAgent: string): string {
  const system = nameOf(SYSTEMS, userAgent);
  return `${nameOf(BROWSERS, userAgent) ?? 'a browser'}${system === undefined ? '' : ` on ${system}`}`;
}

/** The same for a table, where anything but a known browser is shown as it is. */
export const deviceOrAgent = (userAgent: string): string =>
  nameOf(BROWSERS, userAgent) === undefined ? userAgent : deviceWords(userAgent);
