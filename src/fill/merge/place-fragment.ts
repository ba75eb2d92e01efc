import { MAX_OFFSET } from '../write/xref-table.ts';
import { FIELD_WIDTH, type FragmentPicture, MAX_OBJECT_NUMBER, type RowFragment } from './row-fragment.ts';

/** A base has a classic cross-reference table, whose offsets end at 10 GB, and readers limit the number of objects. */
export class MergedTooLarge extends Error {
  constructor(limit = '10 GB') {
    super(`The merged PDF would be larger than ${limit}. Merge fewer rows at a time.`);
  }
}

/** Where a picture is: the row that writes it, and its number. */
export interface PlacedPicture {
  readonly row: number;
  readonly num: number;
}

/** The numbers of a row's objects in the merged PDF. */
export interface Placement {
  readonly first: number;
  /** Pictures that an earlier row has written, with their numbers there. */
  readonly left: readonly { readonly picture: FragmentPicture; readonly num: number }[];
  readonly length: number;
  readonly count: number;
}

/** Places the fragments of consecutive rows. A picture that several rows show is written by the first of them. */
export class FragmentPlaces {
  /** By digest. */
  readonly pictures: Map<string, PlacedPicture>;
  #upcoming: number;

  constructor(first: number, pictures = new Map<string, PlacedPicture>()) {
    this.#upcoming = first;
    this.pictures = pictures;
  }

  /** The number of the next object. */
  get upcoming(): number {
    return this.#upcoming;
  }

  place(row: number, fragment: RowFragment): Placement {
    const first = this.#upcoming;
    const left: { picture: FragmentPicture; num: number }[] = [];
    let { length } = fragment;
    let count = fragment.objects.length;
    for (const picture of fragment.pictures ?? []) {
      const known = this.pictures.get(picture.digest);
      if (known === undefined) {
        this.pictures.set(picture.digest, { row, num: numberOf({ first, left }, picture.num) });
      } else if (known.row !== row) {
        left.push({ picture, num: known.num });
        length -= picture.end - picture.start;
        count -= picture.count;
      }
    }
    this.#upcoming += count;
    if (this.#upcoming > MAX_OBJECT_NUMBER) throw new MergedTooLarge(`${MAX_OBJECT_NUMBER} objects`);
    return { first, left, length, count };
  }
}

/** The number of a row's object in the merged PDF. */
export function numberOf({ first, left }: Pick<Placement, 'first' | 'left'>, local: number): number {
  let num = first + local;
  for (const { picture, num: known } of left) {
    if (local >= picture.num + picture.count) num -= picture.count;
    else if (local >= picture.num) return known + local - picture.num;
  }
  return num;
}

/** The fragment's bytes with its numbers in the merged PDF. */
export function placedBytes(bytes: Uint8Array, fragment: RowFragment, placement: Placement): Uint8Array {
  const placed = bytes.slice(0, fragment.length);
  for (const at of fragment.objects) writeNumber(placed, at, numberOf(placement, readNumber(placed, at)));
  for (const at of fragment.references) writeNumber(placed, at, numberOf(placement, readNumber(placed, at)));
  if (placement.left.length === 0) return placed;
  const kept = new Uint8Array(placement.length);
  let from = 0;
  let to = 0;
  for (const { picture } of placement.left) {
    kept.set(placed.subarray(from, picture.start), to);
    to += picture.start - from;
    from = picture.end;
  }
  kept.set(placed.subarray(from), to);
  return kept;
}

/** Calls `each` with the number and the offset of every object, relative to the start of the placed bytes, in ascending order. */
export function eachOffset(
  { objects }: RowFragment,
  placement: Placement,
  each: (num: number, offset: number) => void,
): void {
  const { left } = placement;
  for (let local = 0; local < objects.length; local += 1) {
    let offset = objects[local];
    if (offset === undefined) throw new Error('bug: a number of a row has no object');
    let skipped = false;
    for (const { picture } of left) {
      if (local >= picture.num && local < picture.num + picture.count) skipped = true;
      else if ((objects[local] ?? 0) >= picture.end) offset -= picture.end - picture.start;
    }
    if (skipped) continue;
    const num = numberOf(placement, local);
    // The digits are at the end of the field, and an entry refers to the first of them.
    each(num, offset + FIELD_WIDTH - num.toString().length);
  }
}

function readNumber(bytes: Uint8Array, at: number): number {
  let num = 0;
  for (let index = at; index < at + FIELD_WIDTH; index += 1) {
    const code = bytes[index] ?? SPACE;
    if (code !== SPACE) num = num * 10 + code - ZERO;
  }
  return num;
}

function writeNumber(bytes: Uint8Array, at: number, value: number): void {
  let rest = value;
  for (let index = at + FIELD_WIDTH - 1; index >= at; index -= 1) {
    bytes[index] = rest === 0 && index < at + FIELD_WIDTH - 1 ? SPACE : ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

const SPACE = 0x20;
const ZERO = 0x30;

export function checkOffset(offset: number): void {
  if (offset > MAX_OFFSET) throw new MergedTooLarge();
}
