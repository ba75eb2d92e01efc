import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { openPdf } from '../pdf/open-pdf.ts';
import { tellError } from '../ui/messages.tsx';
import styles from './preview-screen.module.css';

/** Pages shown at once; a long document shows the rest on scroll. */
const FIRST_PAGES = 3;

/** Renders the PDF with pdf.js at the available width. The last picture stays until the next one is ready, to avoid flicker. */
export function PageViewer({ pdf }: { pdf: Uint8Array }) {
  const [opened, setOpened] = useState<PDFDocumentProxy | null>(null);
  const [count, setCount] = useState(FIRST_PAGES);
  useEffect(() => {
    let gone = false;
    openPdf(pdf).then((next) => {
      if (gone) void next.loadingTask.destroy();
      else setOpened(next);
    }, tellError);
    return () => {
      gone = true;
    };
  }, [pdf]);
  useEffect(
    () => () => {
      void opened?.loadingTask.destroy();
    },
    [opened],
  );
  if (opened === null) return null;
  const shown = Math.min(count, opened.numPages);
  return (
    <div className={styles.pages}>
      {Array.from({ length: shown }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number; keeping the canvas avoids a flash
        <Page key={index} document={opened} number={index + 1} />
      ))}
      {shown < opened.numPages && (
        <button type="button" className={styles.link} onClick={() => setCount(count + 10)}>
          Show more of the {opened.numPages} pages
        </button>
      )}
    </div>
  );
}

const MARGIN = 48;
const MAX_SCALE = 2;

function Page({ document: opened, number }: { document: PDFDocumentProxy; number: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let cancel = () => {};
    let gone = false;
    const render = async () => {
      const page = await opened.getPage(number);
      const place = canvas.current;
      if (gone || place === null) return;
      const plain = page.getViewport({ scale: 1 });
      const room = (place.parentElement?.parentElement?.clientWidth ?? 800) - MARGIN;
      const scale = Math.min(room / plain.width, MAX_SCALE);
      const density = window.devicePixelRatio || 1;
      if (place.dataset.sized === undefined) {
        // Reserves the space of the first drawing, so that nothing jumps.
        place.style.width = `${Math.round(plain.width * scale)}px`;
        place.style.height = `${Math.round(plain.height * scale)}px`;
        place.dataset.sized = 'yes';
      }
      const viewport = page.getViewport({ scale: scale * density });
      // Drawn on a second canvas first: a resized canvas is blank until it is redrawn.
      const aside = globalThis.document.createElement('canvas');
      aside.width = Math.round(viewport.width);
      aside.height = Math.round(viewport.height);
      const task = page.render({ canvas: aside, viewport });
      cancel = () => task.cancel();
      await task.promise;
      if (gone) return;
      place.width = aside.width;
      place.height = aside.height;
      place.style.width = `${aside.width / density}px`;
      place.style.height = `${aside.height / density}px`;
      place.getContext('2d')?.drawImage(aside, 0, 0);
      place.dataset.drawn = opened.fingerprints[0] ?? 'yes';
    };
    render().catch((error: unknown) => {
      if (!gone) tellError(error);
    });
    return () => {
      gone = true;
      cancel();
    };
  }, [opened, number]);
  return (
    <canvas
      ref={canvas}
      className={styles.page}
      role="img"
      aria-label={`Page ${number} of the filled document`}
    />
  );
}
