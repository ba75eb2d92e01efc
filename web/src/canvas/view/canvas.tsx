import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { pagesWithOverlays } from '../../core/overlays/find-overlays.ts';
import { type PageColumn, pageAtHeight, pagesBetween } from '../../core/pages/page-column.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import { acceptColumns } from '../drop-column.ts';
import { listenToMenus } from '../menus/menu-target.ts';
import { listenToPointers } from '../pointer-input.ts';
import { attachViewport, pageColumn, visiblePart, zoomToFit } from '../viewport.ts';
import styles from './canvas.module.css';
import { Marquee } from './marquee-view.tsx';
import { PageView } from './page-view.tsx';
import rulerStyles from './rulers.module.css';
import { Rulers } from './rulers.tsx';

/** Number of pages before and after the visible ones to keep rendered for scrolling. */
const AHEAD = 1;

/** The scrollable column of pages. Pages out of view are not drawn; their overlays stay reachable by keyboard. */
export function Canvas({ pdf }: { pdf: PDFDocumentProxy | null }) {
  const scroller = useRef<HTMLElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const rulers = useCanvas((canvas) => canvas.rulers);
  const column = pageColumn();
  const tool = useCanvas((canvas) => canvas.tool);
  const [first, last] = useVisiblePages(scroller, column);
  const withOverlays = useEditor((editor) =>
    editor.layout === null ? '' : pagesWithOverlays(editor.layout).join(' '),
  );

  useLayoutEffect(() => {
    if (scroller.current === null || surface.current === null || stage.current === null) return;
    const element = scroller.current;
    const stops = [
      attachViewport({ scroller: element, column: surface.current }),
      listenToPointers(element, stage.current),
      acceptColumns(element),
      listenToMenus(element),
    ];
    zoomToFit('page');
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  const wanted = new Set(withOverlays.split(' ').map(Number));
  const shells = column.pages.filter(
    ({ number }) => wanted.has(number) || (number >= first - AHEAD && number <= last + AHEAD),
  );
  return (
    <div ref={stage} className={`${rulerStyles.stage} ${rulers ? rulerStyles.withRulers : ''}`}>
      {rulers && <Rulers scroller={scroller} />}
      <section
        ref={scroller}
        className={styles.scroller}
        data-tool={tool}
        aria-label="Pages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable, so that arrow keys can scroll it
        tabIndex={0}
      >
        <div
          ref={surface}
          className={styles.column}
          style={{
            width: `calc(var(--z) * ${column.width}px)`,
            height: `calc(var(--z) * ${column.height}px)`,
          }}
        >
          {shells.map((page) => (
            <PageView
              key={page.number}
              page={page}
              pageCount={column.pages.length}
              pdf={pdf}
              isNear={page.number >= first - AHEAD && page.number <= last + AHEAD}
            />
          ))}
          <Marquee />
        </div>
      </section>
    </div>
  );
}

function useVisiblePages(
  scroller: React.RefObject<HTMLElement | null>,
  column: PageColumn,
): readonly [number, number] {
  const [range, setRange] = useState<readonly [number, number]>([1, 1]);
  const scale = useCanvas((canvas) => canvas.scale);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scale shows other pages
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      const { y, height } = visiblePart();
      const [from, to] = pagesBetween(column, y, y + height);
      setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]));
      const current = pageAtHeight(column, y + height / 2)?.number ?? 1;
      if (current !== useEditor.getState().page) useEditor.getState().showPage(current);
    };
    const later = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    element.addEventListener('scroll', later, { passive: true });
    const watch = new ResizeObserver(later);
    watch.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      element.removeEventListener('scroll', later);
    };
  }, [column, scale, scroller]);
  return range;
}
