import type { LaidRow } from './table-cells.ts';

/** The rows of a table on one page, from top to bottom, below the header. */
export interface TablePage {
  readonly rows: readonly PlacedRow[];
}

export interface PlacedRow extends LaidRow {
  readonly kind: 'body' | 'total';
  /** Every second row of the body, over all pages. */
  readonly striped: boolean;
}

export interface FlowRules {
  /** Room for rows below the header, on the first page and on the pages after it. */
  readonly first: number;
  readonly further: number;
  /** Most pages, the first one included. */
  readonly maxPages: number;
  readonly minRows: number;
}

/** `rest`: number of rows that no page has room for; 0 if only the totals have none. */
export type Flow =
  | { readonly ok: true; readonly pages: readonly TablePage[] }
  | { readonly ok: false; readonly rest: number };

/** A rounding error of 0.001 points is not an overflow. */
const TOLERANCE = 1e-3;

/** Distributes rows over pages. A row is never split, and empty rows are added only as far as the page has room. */
export function flowRows(
  body: readonly LaidRow[],
  total: LaidRow | undefined,
  empty: LaidRow,
  rules: FlowRules,
): Flow {
  const pages: { rows: PlacedRow[] }[] = [{ rows: [] }];
  let room = rules.first;
  let rest = body.length;
  let count = 0;
  const place = (row: LaidRow, kind: PlacedRow['kind']): boolean => {
    if (row.height > room + TOLERANCE) {
      if (pages.length === rules.maxPages || row.height > rules.further + TOLERANCE) return false;
      pages.push({ rows: [] });
      room = rules.further;
    }
    room -= row.height;
    pages.at(-1)?.rows.push({ ...row, kind, striped: kind === 'body' && count % 2 === 1 });
    if (kind === 'body') count += 1;
    return true;
  };
  for (const row of body) {
    if (!place(row, 'body')) return { ok: false, rest };
    rest -= 1;
  }
  while (count < rules.minRows && empty.height + (total?.height ?? 0) <= room + TOLERANCE)
    place(empty, 'body');
  if (total !== undefined && !place(total, 'total')) return { ok: false, rest };
  return { ok: true, pages };
}
