import { InvalidArgumentError } from 'commander';
import { MAX_IP_RANGES, parseIpRange } from '#engine/keys/ip-ranges.ts';

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

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const n = Number(text);
    if (!/^\d{1,9}$/.test(text) || n < min || n > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return n;
  };
}

export function ipRanges(text: string): string[] {
  const ranges = commaList(text).map((part) => {
    const range = parseIpRange(part);
    if (range === undefined) throw new InvalidArgumentError(`"${part}" is not an IP address or CIDR range.`);
    return range;
  });
  if (ranges.length > MAX_IP_RANGES)
    throw new InvalidArgumentError(`It names ${ranges.length} ranges; at most ${MAX_IP_RANGES} are allowed.`);
  return [...new Set(ranges)];
}
