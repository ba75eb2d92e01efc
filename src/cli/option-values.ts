import { InvalidArgumentError } from 'commander';
import { MAX_IP_RANGES, parseIpRange } from '#engine/keys/ip-ranges.ts';

/** Parses an option value that must be one of a list, which shell completion reads as `allowed`. Invalid values are usage errors (exit code 2), here and below. */
export function oneOf<T extends string | number>(allowed: readonly T[]): (text: string) => T {
  const parse = (text: string): T => {
    const found = allowed.find((value) => String(value) === text);
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${allowed.join(', ')}.`);
    return found;
  };
  return Object.assign(parse, { allowed });
}

/** Parses `a,b,c`. Ignores spaces around a part; rejects an empty list. */
export function commaList(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new InvalidArgumentError('It must have at least one value.');
  return [...new Set(parts)];
}

const CONTROL = /\p{Cc}/u;

/** Parses a name: 1–200 characters, no control characters, no leading or trailing spaces. */
export function nameText(text: string): string {
  if (text.trim() !== text || text === '' || text.length > 200 || CONTROL.test(text))
    throw new InvalidArgumentError('It must have 1 to 200 characters, without leading or trailing spaces.');
  return text;
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const n = Number(text);
    if (!/^\d{1,9}$/.test(text) || n < min || n > max)
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
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
    throw new InvalidArgumentError(`It has ${ranges.length} ranges; at most ${MAX_IP_RANGES} are allowed.`);
  return [...new Set(ranges)];
}
