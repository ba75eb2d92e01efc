import { InvalidArgumentError } from 'commander';

/** Readers of option values; what they refuse is a usage error (exit code 2). */
export function oneOf<T extends string | number>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const found = allowed.find((value) => String(value) === text);
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${allowed.join(', ')}.`);
    return found;
  };
}

/** `a,b,c`; blanks around a part do not count, an empty list is a mistake. */
export function commaList(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new InvalidArgumentError('It must name at least one.');
  return [...new Set(parts)];
}

const CONTROL = /\p{Cc}/u;

/** A name of ours: 1–200 characters, no control characters, no blanks at its ends. */
export function nameText(text: string): string {
  if (text.trim() !== text || text === '' || text.length > 200 || CONTROL.test(text))
    throw new InvalidArgumentError('It must have 1 to 200 characters, without blanks at its ends.');
  return text;
}
