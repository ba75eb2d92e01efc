import { type RefObject, useEffect, useState } from 'react';
import type { Sheet } from '#fill/sheet/sheet.ts';
import type { RowRange } from '../core/runs/row-ranges.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine, type PreviewedSheet } from '../engine/engine-client.ts';
import { openPdf } from '../pdf/open-pdf.ts';
import { currentPlan } from '../preview/preview-store.ts';
import { useWork } from '../project/work-store.ts';

/** Waits this long after a change, so that sizes can be typed. */
const PAUSE_MS = 150;

export interface SheetPreview {
  /** The sheet that the canvas shows. */
  readonly of: string;
  /** Labels that show a row. */
  readonly labels: number;
  /** Why no row is shown. */
  readonly refused: string | null;
}

/** Draws the first sheet of the run on the canvas, as the fill engine makes it. The last picture stays until the next is ready. */
export function useSheetPreview(
  sheet: Sheet | null,
  [from, to]: RowRange,
  canvas: RefObject<HTMLCanvasElement | null>,
): { readonly preview: SheetPreview | null; readonly isCurrent: boolean } {
  const [preview, setPreview] = useState<SheetPreview | null>(null);
  const project = useEditor((editor) => editor.project);
  const rows = useEditor((editor) => editor.rows);
  const { includeStickers, filenameColumns, groupBy } = useWork((work) => work.run);
  const key = sheet === null ? null : JSON.stringify([sheet, from, to]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the sheet and the range; the others are inputs of the plan
  useEffect(() => {
    if (sheet === null || key === null) return;
    let gone = false;
    const show = async () => {
      const plan = currentPlan();
      if (plan === null) return;
      const made = rows === null ? NONE : await engine.previewSheet([from, to], sheet, plan);
      if (gone) return;
      if (!made.ok) return setPreview({ of: key, labels: 0, refused: made.message });
      if (made.pdf === null) clear(canvas.current);
      else await draw(made.pdf, canvas.current, () => gone);
      if (!gone) setPreview({ of: key, labels: made.labels, refused: null });
    };
    const timer = setTimeout(() => {
      show().catch((error: unknown) => {
        const refused = error instanceof Error ? error.message : String(error);
        if (!gone) setPreview({ of: key, labels: 0, refused });
      });
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [key, project, rows, includeStickers, filenameColumns, groupBy]);
  return { preview, isCurrent: preview !== null && preview.of === key };
}

const NONE: PreviewedSheet = { ok: true, pdf: null, labels: 0 };

function clear(canvas: HTMLCanvasElement | null): void {
  if (canvas !== null) canvas.width = 0;
}

async function draw(pdf: Uint8Array, canvas: HTMLCanvasElement | null, isGone: () => boolean): Promise<void> {
  const opened = await openPdf(pdf);
  try {
    const page = await opened.getPage(1);
    if (canvas === null || isGone()) return;
    const { width } = page.getViewport({ scale: 1 });
    const wanted = Math.max(canvas.clientWidth, 1) * Math.max(window.devicePixelRatio || 1, 2);
    const viewport = page.getViewport({ scale: wanted / width });
    // Drawn on a second canvas first: a resized canvas is blank until it is redrawn.
    const aside = document.createElement('canvas');
    aside.width = Math.round(viewport.width);
    aside.height = Math.round(viewport.height);
    await page.render({ canvas: aside, viewport }).promise;
    if (isGone()) return;
    canvas.width = aside.width;
    canvas.height = aside.height;
    canvas.getContext('2d')?.drawImage(aside, 0, 0);
  } finally {
    await opened.loadingTask.destroy();
  }
}
