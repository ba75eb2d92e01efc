import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useEditor } from '../../editor/editor-store.ts';
import { placeByKey } from '../../ui/arrow-keys.ts';
import { goToPage } from '../commands/go-to-overlay.ts';
import { belowOf, isMenuKey, openMenu } from '../menus/menu-target.ts';
import styles from './page-strip.module.css';
import { PageThumbnail } from './page-thumbnail.tsx';

const WIDTH = 72;
const LABEL = 30;

/** Page thumbnails, drawn when they scroll into view. A single tab stop; arrow keys move between pages. */
export function PageStrip({ pdf }: { pdf: PDFDocumentProxy | null }) {
  const pages = useEditor((editor) => editor.project?.source.pages) ?? [];
  const current = useEditor((editor) => editor.page);
  const scroller = useRef<HTMLElement>(null);
  const heightOf = (index: number) => {
    const page = pages[index];
    return page === undefined ? 0 : Math.min(140, (WIDTH * page.height) / page.width);
  };
  const list = useVirtualizer({
    count: pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(index) + LABEL,
    overscan: 3,
    // The tab stop is always rendered, whatever the scroll position.
    rangeExtractor: (range) =>
      [...new Set([current - 1, ...defaultRangeExtractor(range)])].sort((a, b) => a - b),
  });
  const wanted = useRef(false);
  useEffect(() => {
    list.scrollToIndex(current - 1);
    if (wanted.current) scroller.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
    wanted.current = false;
  }, [current, list]);
  const onKey = (event: KeyboardEvent) => {
    const next = placeByKey(event.key, 'down', current - 1, pages.length);
    if (next === undefined) return;
    event.preventDefault();
    wanted.current = true;
    goToPage(next + 1);
  };
  return (
    <nav ref={scroller} aria-label="Page strip" className={styles.strip} onKeyDown={onKey}>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ index, start }) => (
          <button
            key={index}
            type="button"
            className={styles.entry}
            style={{ top: start }}
            aria-current={index + 1 === current ? 'page' : undefined}
            aria-label={`Page ${index + 1}`}
            tabIndex={index + 1 === current ? 0 : -1}
            onClick={() => goToPage(index + 1)}
            onContextMenu={(event) => {
              event.preventDefault();
              openMenu({ x: event.clientX, y: event.clientY }, { of: 'strip', page: index + 1 });
            }}
            onKeyDown={(event) => {
              if (!isMenuKey(event)) return;
              event.preventDefault();
              openMenu(belowOf(event.currentTarget), { of: 'strip', page: index + 1 });
            }}
          >
            <PageThumbnail pdf={pdf} number={index + 1} width={WIDTH} height={heightOf(index)} />
            <span>{index + 1}</span>
          </button>
        ))}
      </div>
    </nav>
  );
}
