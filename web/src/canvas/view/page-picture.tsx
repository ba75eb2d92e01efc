import type { PDFDocumentProxy, RenderTask } from 'pdfjs-dist';
import { useEffect, useRef } from 'react';
import type { PlacedPage } from '../../core/pages/page-column.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import { readTemplateTargets } from '../template-targets.ts';
import styles from './canvas.module.css';
import { scaled } from './scaled-style.ts';

/** A zoom has ended when the scale is unchanged for this long; until then the last picture is stretched. */
const SETTLE_MS = 140;
/** Browsers reject larger canvases; above this size the picture has a lower resolution. */
const MOST_PIXELS = 16_000_000;

/** The page drawn by pdf.js at the screen's resolution. A new picture is swapped in when it is complete. */
export function PagePicture({ page, pdf }: { page: PlacedPage; pdf: PDFDocumentProxy | null }) {
  const place = useRef<HTMLDivElement>(null);
  const scale = useCanvas((canvas) => canvas.scale);
  const drawnBefore = useRef(false);
  useEffect(() => {
    if (pdf === null) return;
    let task: RenderTask | null = null;
    let stale = false;
    const draw = async () => {
      const source = await pdf.getPage(page.number);
      if (stale) return;
      const density = window.devicePixelRatio || 1;
      const most = Math.sqrt(MOST_PIXELS / (page.width * page.height));
      const resolution = Math.min(scale * density, most);
      const viewport = source.getViewport({ scale: resolution });
      const canvas = document.createElement('canvas');
      canvas.width = Math.ceil(viewport.width);
      canvas.height = Math.ceil(viewport.height);
      // Uses the canvas size, not the page size: the last pixels may be partly filled, and stretching would shift all others.
      canvas.style.width = scaled(canvas.width / resolution);
      canvas.style.height = scaled(canvas.height / resolution);
      task = source.render({ canvas, viewport });
      await task.promise;
      if (stale) return;
      place.current?.replaceChildren(canvas);
      drawnBefore.current = true;
      const bytes = useEditor.getState().project?.source.bytes;
      if (bytes !== undefined) await readTemplateTargets(bytes, pdf, page.number);
    };
    const timer = setTimeout(
      () => {
        draw().catch(() => {
          // Cancelled because the page left the view or the scale changed; a page that cannot be drawn stays white.
        });
      },
      drawnBefore.current ? SETTLE_MS : 0,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
      task?.cancel();
    };
  }, [pdf, page, scale]);
  return <div ref={place} className={styles.picture} aria-hidden="true" />;
}
