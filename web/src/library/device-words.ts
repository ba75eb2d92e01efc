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

/** A browser in words: `Firefox on Linux`. */
export function deviceWords(userAgent: string): string {
  const named = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  return `${browser ?? 'a browser'}${system === undefined ? '' : ` on ${system}`}`;
}
