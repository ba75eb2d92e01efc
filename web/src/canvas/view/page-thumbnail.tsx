import type { PDFDocumentProxy, RenderTask } from 'pdfjs-dist';
import { useEffect, useRef } from 'react';
import styles from './page-strip.module.css';

/** Delay before drawing, so that scrolling past draws nothing. */
const REST_MS = 80;

export function PageThumbnail({
  pdf,
  number,
  width,
  height,
}: {
  pdf: PDFDocumentProxy | null;
  number: number;
  width: number;
  height: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (pdf === null) return;
    let task: RenderTask | null = null;
    let stale = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (stale || canvas.current === null) return;
      const density = window.devicePixelRatio || 1;
      const scale = (width * density) / page.getViewport({ scale: 1 }).width;
      const viewport = page.getViewport({ scale });
      canvas.current.width = Math.ceil(viewport.width);
      canvas.current.height = Math.ceil(viewport.height);
      task = page.render({ canvas: canvas.current, viewport });
      await task.promise;
    };
    const timer = setTimeout(() => {
      draw().catch(() => {
        // Cancelled because the thumbnail left the view.
      });
    }, REST_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
      task?.cancel();
    };
  }, [pdf, number, width]);
  return <canvas ref={canvas} className={styles.thumbnail} style={{ width, height }} />;
}
