import type { RowDrawing } from '../draw/draw-row.ts';
import type { Slot } from '../prepare/prepared-base.ts';

/** A repetition of a page of the source, with content of its own. */
export interface PageCopy {
  /** From 1. */
  readonly page: number;
  /** The slot of the page that is repeated. */
  readonly slot: Slot;
  readonly content: Uint8Array;
  readonly resources: string;
}

/** The pages of one document: a page of the source (from 1), or a repetition of one. */
export type DocumentPages = readonly (number | PageCopy)[];

/** The pages of a row whose tables repeat or leave out pages; undefined if the row has the pages of the source. */
export function documentPages(
  pageCount: number,
  slots: ReadonlyMap<number, Slot>,
  { repetitions, dropped }: Pick<RowDrawing, 'repetitions' | 'dropped'>,
): DocumentPages | undefined {
  if (repetitions.length === 0 && dropped.length === 0) return undefined;
  const copies = Map.groupBy(repetitions, ({ page }) => page);
  const pages: (number | PageCopy)[] = [];
  for (let page = 1; page <= pageCount; page += 1) {
    if (!dropped.includes(page)) pages.push(page);
    for (const { content, resources } of copies.get(page) ?? []) {
      const slot = slots.get(page);
      if (slot === undefined) throw new Error(`bug: page ${page} has no slot`);
      pages.push({ page, slot, content, resources });
    }
  }
  return pages;
}

/** A slot without its key in the structure tree, which a merged file does not have and which has no place for copies. */
export function untagged(head: string): string {
  return head.replace(/\/StructParents \d+/, '');
}
