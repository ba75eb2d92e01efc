import { baseResources } from '#fill/draw/base-resources.ts';
import { createRowDrawer } from '#fill/draw/create-row-drawer.ts';
import type { RowDrawer, RowDrawing } from '#fill/draw/draw-row.ts';
import { type JobAssets, NO_JOB_ASSETS } from '#fill/draw/images/job-assets.ts';
import { createFontKit, type FontKit } from '#fill/fonts/font-kit.ts';
import { bundledFontLibrary } from '#fill/node/bundled-fonts.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { type LayoutInput, layoutSchema } from '#fill/package/layout-schema.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import { ByteSink } from '#fill/write/byte-sink.ts';
import { ObjectNumbers, type PdfObject } from '#fill/write/tail-object.ts';
import { writeXref, type XrefEntry } from '#fill/write/xref-table.ts';

/**
 * Writes a drawn row as a PDF of blank pages, so that external readers can check the drawing without the rest of the
 * engine.
 */
export interface DrawingBench {
  readonly drawer: RowDrawer;
  readonly baseObjects: readonly PdfObject[];
  draw(...values: string[]): RowDrawing;
  pdf(...values: string[]): Uint8Array;
}

export interface BenchOptions {
  readonly assets?: ReadonlyMap<string, Uint8Array>;
  readonly job?: JobAssets;
  readonly includeStickers?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly pages?: number;
  /** Fonts to use instead of this installation's. */
  readonly kit?: FontKit;
}

let sharedKit: Promise<FontKit> | undefined;

export function bundledKit(): Promise<FontKit> {
  sharedKit ??= createFontKit(bundledFontLibrary());
  return sharedKit;
}

export function cellsOf(...values: string[]): RowCells {
  return new Map(
    values.map((value, index) => [`column_${index}`, value] as const).filter(([, value]) => value !== ''),
  );
}

const FIRST_BASE_OBJECT = 10;

export async function drawingBench(
  overlays: LayoutInput['overlays'],
  {
    assets = new Map(),
    job = NO_JOB_ASSETS,
    includeStickers = false,
    width = 595,
    height = 842,
    pages = 1,
    kit: given,
  }: BenchOptions = {},
  fonts: LayoutInput['fonts'] = [],
): Promise<DrawingBench> {
  const kit = given ?? (await bundledKit());
  const layout = layoutSchema.parse({ format: 'rowpress.layout', version: 1, overlays, fonts });
  const numbers = new ObjectNumbers(FIRST_BASE_OBJECT + 2 * pages);
  const base = baseResources(layout, assets, { includeStickers }, kit, nativeCodec, numbers);
  const state = JSON.parse(JSON.stringify(base.state)) as typeof base.state;
  const sizes = Array.from({ length: pages }, () => ({ width, height }));
  const drawer = await createRowDrawer(
    layout,
    { job, assets, codec: nativeCodec },
    state,
    sizes,
    { includeStickers },
    kit,
  );
  const draw = (...values: string[]) => drawer.draw(cellsOf(...values), new ObjectNumbers(numbers.upcoming));
  return {
    drawer,
    baseObjects: base.objects,
    draw,
    pdf: (...values) => assemble(base.objects, draw(...values), { width, height, pages }),
  };
}

function assemble(
  base: readonly PdfObject[],
  drawing: RowDrawing,
  { width, height, pages }: { width: number; height: number; pages: number },
): Uint8Array {
  const sink = new ByteSink();
  const entries: XrefEntry[] = [];
  const object = (num: number, write: () => void) => {
    entries.push({ num, offset: sink.length });
    sink.ascii(`${num} 0 obj\n`);
    write();
    sink.ascii('\nendobj\n');
  };
  sink.ascii('%PDF-1.7\n');
  const pageNumber = (page: number) => FIRST_BASE_OBJECT + 2 * (page - 1);
  const kids = Array.from({ length: pages }, (_, index) => `${pageNumber(index + 1)} 0 R`);
  object(1, () => sink.ascii('<</Type/Catalog/Pages 2 0 R>>'));
  object(2, () => sink.ascii(`<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`));
  for (let page = 1; page <= pages; page += 1) {
    const slot = drawing.slots.find((drawn) => drawn.page === page);
    const num = pageNumber(page);
    object(num, () =>
      sink.ascii(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${num + 1} 0 R/Resources${slot?.resources ?? '<<>>'}>>`,
      ),
    );
    object(num + 1, () => {
      sink.ascii(`<</Length ${slot?.content.length ?? 0}>>\nstream\n`);
      sink.bytes(slot?.content ?? new Uint8Array());
      sink.ascii('\nendstream');
    });
  }
  for (const { num, body } of [...base, ...drawing.objects]) object(num, () => sink.bytes(body));
  const startXref = sink.length;
  entries.sort((a, b) => a.num - b.num);
  writeXref(sink, entries, true);
  const size = (entries.at(-1)?.num ?? 0) + 1;
  sink.ascii(`trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${startXref}\n%%EOF\n`);
  return sink.copy();
}
