/**
 * Coordinates are quantised to 1/1000 pt and printed from the integer, so that the bytes do not depend on an engine's
 * formatting of floats. All coordinates of a row are written by this module or content-writer.ts.
 */
export function pdfNumber(value: number): string {
  const thousandths = Math.round(value * 1000);
  if (thousandths % 1000 === 0) return (thousandths / 1000 || 0).toString();
  const sign = thousandths < 0 ? '-' : '';
  const magnitude = Math.abs(thousandths);
  const whole = Math.floor(magnitude / 1000);
  const fraction = magnitude - whole * 1000;
  const digits =
    fraction % 100 === 0
      ? (fraction / 100).toString()
      : fraction % 10 === 0
        ? (fraction / 10).toString().padStart(2, '0')
        : fraction.toString().padStart(3, '0');
  return `${sign}${whole === 0 ? '' : whole}.${digits}`;
}

/** Writes a number of the source as exactly as a double allows, without an exponent (ISO 32000-2 §7.3.3). */
export function exactPdfNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value === 0 ? '0' : value.toString();
  if (!Number.isFinite(value)) return '0';
  if (Math.abs(value) >= 1e15) return BigInt(Math.trunc(value)).toString();
  const fixed = value.toFixed(8).replace(/\.?0+$/, '');
  return fixed === '-0' || fixed === '' ? '0' : fixed;
}
