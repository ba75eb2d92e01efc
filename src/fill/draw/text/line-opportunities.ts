/// <reference path="./linebreak.d.ts" />
import LineBreaker from 'linebreak';
import { BASE_CHARSET, BASE_TABLE_SIZE } from '#fill/fonts/base-charset.ts';
import { BREAK_AFTER, CUT_AFTER } from './paragraph.ts';

/**
 * Positions where a line may end, by the Unicode Line Breaking Algorithm (UAX #14) of the package `linebreak`. The package has
 * its own tables (Unicode 13), so the result is the same in every JavaScript engine; docs/decisions/0116 gives the reasons.
 */

/** Adds BREAK_AFTER to the units after which a line may end. Clusters are never divided. */
export function markOpportunities(text: string, marks: Uint8Array): void {
  const breaker = new LineBreaker(text);
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) {
    const last = found.position - 1;
    const mark = marks[last] as number;
    if ((mark & CUT_AFTER) !== 0 && found.position < text.length) marks[last] = mark | BREAK_AFTER;
  }
}

/**
 * The same for texts that contain only base characters. None of them is a combining mark, a joiner or a Hebrew letter, so a
 * break depends only on the two characters beside it and on spaces between them. Each pair is computed with the library once
 * and cached in a table of 200 kB. A test compares both implementations.
 */
export function markSimpleOpportunities(text: string, marks: Uint8Array): void {
  let before = PLACE[text.charCodeAt(0)] as number;
  let spaced = 0;
  for (let index = 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === SPACE_UNIT) {
      spaced = SPACED;
      continue;
    }
    const after = PLACE[unit] as number;
    const pair = before * PLACES + after;
    let known = pairs[pair] as number;
    if (known === 0) {
      known = readPair(before, after);
      pairs[pair] = known;
    }
    if ((known & (DIRECT << spaced)) !== 0) marks[index - 1] = (marks[index - 1] as number) | BREAK_AFTER;
    before = after;
    spaced = 0;
  }
}

const SPACE_UNIT = 0x20;
const NO_BREAK_SPACE = 0xa0;
const KNOWN = 1;
/** A line may end between two adjacent characters; shifted by SPACED: between two characters with spaces between them. */
const DIRECT = 2;
const SPACED = 1;

const CHARACTERS = [...BASE_CHARSET, NO_BREAK_SPACE];
const PLACES = CHARACTERS.length;
const PLACE = new Uint16Array(BASE_TABLE_SIZE);
CHARACTERS.forEach((codePoint, place) => {
  PLACE[codePoint] = place;
});
const pairs = new Uint8Array(PLACES * PLACES);

function readPair(before: number, after: number): number {
  const first = String.fromCodePoint(CHARACTERS[before] ?? 0);
  const second = String.fromCodePoint(CHARACTERS[after] ?? 0);
  const touching = mayBreak(`${first}${second}`, first.length) ? DIRECT : 0;
  const apart = mayBreak(`${first} ${second}`, first.length + 1) ? DIRECT << SPACED : 0;
  return KNOWN | touching | apart;
}

function mayBreak(text: string, at: number): boolean {
  const breaker = new LineBreaker(text);
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) {
    if (found.position === at) return true;
  }
  return false;
}
