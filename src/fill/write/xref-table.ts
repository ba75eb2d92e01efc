import type { ByteSink } from './byte-sink.ts';

/**
 * A classic cross-reference section (ISO 32000-2 §7.5.4). Entries are exactly 20 bytes; consecutive object numbers
 * form one subsection. `entries` must be sorted by number. A whole file also needs the free entry 0. So does a section
 * without entries: it must have a subsection, and readers report an empty one as damaged.
 */
export interface XrefEntry {
  readonly num: number;
  readonly offset: number;
}

/** An entry has ten digits for its offset. */
export const MAX_OFFSET = 9_999_999_999;

export function writeXref(sink: ByteSink, entries: readonly XrefEntry[], withFreeHead: boolean): void {
  sink.ascii('xref\n');
  let first = 0;
  if (entries.length === 0 || (withFreeHead && entries[0]?.num !== 1))
    sink.ascii('0 1\n0000000000 65535 f \n');
  while (first < entries.length) {
    const start = at(entries, first).num;
    let end = first + 1;
    while (end < entries.length && at(entries, end).num === start + end - first) end += 1;
    if (withFreeHead && start === 1) {
      sink.ascii(`0 ${end - first + 1}\n0000000000 65535 f \n`);
    } else {
      sink.ascii(`${start} ${end - first}\n`);
    }
    for (let index = first; index < end; index += 1) {
      sink.ascii(`${at(entries, index).offset.toString().padStart(10, '0')} 00000 n \n`);
    }
    first = end;
  }
}

function at(entries: readonly XrefEntry[], index: number): XrefEntry {
  const entry = entries[index];
  if (entry === undefined) throw new Error('bug: xref index out of range');
  return entry;
}
