/** A part of a UUID: the range of ids that share its beginning, and the hexadecimal digits at its end. */
export interface IdPart {
  readonly from: string;
  readonly to: string;
  readonly end: string;
}

const DIGITS = 32;
/** Fewer digits would match by chance. */
const MIN_DIGITS = 4;
/** The parts of a shortened id, `2244…48c7c571`; three or two dots stand for the ellipsis. */
const SHORTENED = /^(.*?)(?:…|\.{2,3})(.*)$/s;

/** Splits a shortened id. Returns undefined if the text has no ellipsis. */
export function splitShortened(text: string): { readonly begin: string; readonly end: string } | undefined {
  const match = SHORTENED.exec(text);
  return match === null ? undefined : { begin: match[1] ?? '', end: match[2] ?? '' };
}

/**
 * Reads a shortened UUID, or the beginning or the end of one, with or without hyphens. Returns no part if the text is not
 * hexadecimal or has fewer than four digits.
 */
export function uuidParts(text: string): IdPart[] {
  const short = splitShortened(text);
  const pairs =
    short === undefined
      ? [
          { begin: text, end: '' },
          { begin: '', end: text },
        ]
      : [short];
  return pairs.flatMap(({ begin, end }) => {
    const [first, last] = [digitsOf(begin), digitsOf(end)];
    if (first === undefined || last === undefined) return [];
    const count = first.length + last.length;
    if (count < MIN_DIGITS || count > DIGITS) return [];
    return [idPart(first, last)];
  });
}

/** Makes a part from the hexadecimal digits at the beginning and at the end. */
export function idPart(begin: string, end: string): IdPart {
  return {
    from: hyphenated(begin.padEnd(DIGITS, '0')),
    to: hyphenated(begin.padEnd(DIGITS, 'f')),
    end,
  };
}

function digitsOf(text: string): string | undefined {
  const digits = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]*$/.test(digits) ? digits : undefined;
}

const hyphenated = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
