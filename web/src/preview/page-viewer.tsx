import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { openPdf } from '../pdf/open-pdf.ts';
import { tellError } from '../ui/messages.tsx';
import type { FieldPlace } from './field-place.ts';
import { Highlight } from './highlight.tsx';
import styles from './preview-screen.module.css';
import { usePointedPlace } from './use-pointed-place.ts';

/** Pages shown at once; a long document shows the rest on scroll. */
const FIRST_PAGES = 3;

/** Renders the PDF with pdf.js at the available width. The last picture stays until the next one is ready, to avoid flicker. */
export function PageViewer({ pdf }: { pdf: Uint8Array }) {
  const [opened, setOpened] = useState<PDFDocumentProxy | null>(null);
  const [count, setCount] = useState(FIRST_PAGES);
  const pointed = usePointedPlace();
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
  const numbers = Array.from({ length: shown }, (_, index) => index + 1);
  // The page of the highlighted field is shown even if it is far down.
  if (pointed !== null && pointed.place.page > shown && pointed.place.page <= opened.numPages)
    numbers.push(pointed.place.page);
  return (
    <div className={styles.pages}>
      {numbers.map((number) => (
        // A page is its number; keeping the canvas avoids a flash.
        <Page
          key={number}
          document={opened}
          number={number}
          pointed={pointed?.place.page === number ? pointed : null}
        />
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

interface PageProps {
  readonly document: PDFDocumentProxy;
  readonly number: number;
  readonly pointed: { readonly id: string; readonly place: FieldPlace } | null;
}

function Page({ document: opened, number, pointed }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  /** CSS pixels per point; null until the page is measured. */
  const [scale, setScale] = useState<number | null>(null);
  const room = useRoom(canvas);
  useEffect(() => {
    if (room === null) return;
    let cancel = () => {};
    let gone = false;
    const render = async () => {
      const page = await opened.getPage(number);
      const place = canvas.current;
      if (gone || place === null) return;
      const plain = page.getViewport({ scale: 1 });
      const fitted = Math.min(room / plain.width, MAX_SCALE);
      const density = window.devicePixelRatio || 1;
      // Reserves the space of the drawing, so that nothing jumps. Until it is ready, the last one is stretched.
      place.style.width = `${Math.round(plain.width * fitted)}px`;
      place.style.height = `${Math.round(plain.height * fitted)}px`;
      place.dataset.sized = 'yes';
      setScale(fitted);
      const viewport = page.getViewport({ scale: fitted * density });
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
  }, [opened, number, room]);
  return (
    <div className={styles.sheet}>
      <canvas
        ref={canvas}
        className={styles.page}
        role="img"
        aria-label={`Page ${number} of the filled document`}
      />
      {pointed !== null && scale !== null && (
        <Highlight id={pointed.id} box={pointed.place.box} scale={scale} />
      )}
    </div>
  );
}

/** Width for a page, again after each change of the section's width; null until it is measured. */
function useRoom(inside: RefObject<HTMLElement | null>): number | null {
  const [room, setRoom] = useState<number | null>(null);
  useLayoutEffect(() => {
    const section = inside.current?.closest('section');
    if (section === null || section === undefined) return;
    let outer = 0;
    const measure = () => {
      // The outer width: a scrollbar that a larger page adds must not make it smaller again.
      if (section.offsetWidth === outer) return;
      outer = section.offsetWidth;
      setRoom(Math.max(1, section.clientWidth - MARGIN));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(section);
    return () => watch.disconnect();
  }, [inside]);
  return room;
}
