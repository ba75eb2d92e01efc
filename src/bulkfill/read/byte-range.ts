/**
 * Parses a single byte range (RFC 9110 section 14). Returns `whole` if there is none or it must be ignored (several
 * ranges, another unit, malformed), and `unsatisfiable` if it is outside the file.
 */
export type RequestedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number };

export function parseRange(header: string | undefined, size: number): RequestedRange {
  // Range units are case-insensitive (section 14.1).
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (start >= size) return { kind: 'unsatisfiable' };
  return end <= start ? { kind: 'whole' } : { kind: 'part', start, end };
}
