import type { RowError, RowWarning } from '../results/row-outcome.ts';
import type { RowCells } from '../values/row-cells.ts';
import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import { ContentWriter } from './content-writer.ts';
import { emitItems } from './emit.ts';
import { type DrawPlan, type LaidOutRow, layOutRow, type RowLayout } from './lay-out-row.ts';
import { resourcesText } from './page-resources.ts';

/**
 * Draws the overlays of a row. Each overlay adds items to its page's display list; then the row's own fonts are subset, and
 * the lists become content streams. Only memos of pure functions carry over from one row to the next.
 */
export interface RowDrawer {
  draw(cells: RowCells, numbers: ObjectNumbers): RowDrawing;
  /** The same row as data instead of bytes. */
  layOut(cells: RowCells): RowLayout;
}

export interface RowDrawing {
  /** One for each page with overlays, in page order. */
  readonly slots: readonly SlotDrawing[];
  /** Fonts and images that the row embeds. */
  readonly objects: readonly PdfObject[];
  readonly warnings: readonly RowWarning[];
  readonly applied: number;
  readonly skipped: number;
  readonly error: RowError | null;
  readonly errorColumn?: string | undefined;
  /** Pages that are repeated for tables, in page order. */
  readonly repetitions: readonly SlotDrawing[];
  /** Pages that the document does not have. */
  readonly dropped: readonly number[];
  /** Whether a table continues on a further page. */
  readonly isContinued: boolean;
}

export interface SlotDrawing {
  /** From 1. */
  readonly page: number;
  /** Valid until the next call of `draw`: the buffer is reused. */
  readonly content: Uint8Array;
  /** A /Resources dictionary as text. */
  readonly resources: string;
}

/** The structure of the document has no place for pages that only some rows have: what they show is an artifact. */
const NO_TAGS = new Map<string, number>();

const NOTHING_DRAWN = { slots: [], objects: [], repetitions: [], dropped: [], isContinued: false };

export function rowDrawer(plan: DrawPlan): RowDrawer {
  const writer = new ContentWriter();
  return {
    layOut: (cells) => layOutRow(plan, cells),
    draw: (cells, numbers) => writeRow(plan, layOutRow(plan, cells), writer, numbers),
  };
}

function writeRow(
  plan: DrawPlan,
  row: LaidOutRow,
  writer: ContentWriter,
  numbers: ObjectNumbers,
): RowDrawing {
  const { warnings, applied, skipped, error, errorColumn, dropped, isContinued } = row;
  if (error !== null) return { ...NOTHING_DRAWN, warnings, applied, skipped, error, errorColumn };
  const fonts = row.fonts.finish(numbers);
  const images = row.images.finish(numbers);
  const objects =
    fonts.length === 0 ? images.objects : [...fonts.flatMap((font) => font.objects), ...images.objects];
  let fontEntries = '';
  for (const font of fonts) fontEntries += `/${font.name} ${font.num} 0 R`;
  writer.clear();
  const ends: number[] = [];
  for (const { items } of row.pages) {
    const page = plan.pages[ends.length];
    emitItems(writer, items, page?.size.height ?? 0, row.fonts, page?.tags ?? null);
    ends.push(writer.length);
  }
  for (const { index, items } of row.repetitions) {
    const page = plan.pages[index];
    emitItems(writer, items, page?.size.height ?? 0, row.fonts, page?.tags == null ? null : NO_TAGS);
    ends.push(writer.length);
  }
  const drawn: SlotDrawing[] = [];
  let from = 0;
  for (const index of [...row.pages.keys(), ...row.repetitions.map((repetition) => repetition.index)]) {
    const to = ends[drawn.length] ?? from;
    const content = writer.bytes.subarray(from, to); // after all writes: the buffer may have been replaced
    from = to;
    const shared = plan.pages[index]?.resources;
    const page = row.pages[index]?.page ?? 0;
    drawn.push({ page, content, resources: resourcesText(shared, fontEntries, images.entries) });
  }
  const slots = drawn.slice(0, row.pages.length).filter(({ page }) => !dropped.includes(page));
  const repetitions = drawn.slice(row.pages.length);
  return { slots, objects, warnings, applied, skipped, error: null, repetitions, dropped, isContinued };
}
