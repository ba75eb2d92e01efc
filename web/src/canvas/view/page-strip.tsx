import { useVirtualizer } from '@tanstack/react-virtual';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef } from 'react';
import { useEditor } from '../../editor/editor-store.ts';
import { goToPage } from '../commands/go-to-overlay.ts';
import styles from './page-strip.module.css';
import { PageThumbnail } from './page-thumbnail.tsx';

const WIDTH = 72;
const LABEL = 30;

/** Small pictures of the pages, drawn when they come into view. */
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
  });
  useEffect(() => {
    list.scrollToIndex(current - 1);
  }, [current, list]);
  return (
    <nav ref={scroller} aria-label="Page strip" className={styles.strip}>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ index, start }) => (
          <button
            key={index}
            type="button"
            className={styles.entry}
            style={{ top: start }}
            aria-current={index + 1 === current ? 'page' : undefined}
            aria-label={`Page ${index + 1}`}
            onClick={() => goToPage(index + 1)}
          >
            <PageThumbnail pdf={pdf} number={index + 1} width={WIDTH} height={heightOf(index)} />
            <span>{index + 1}</span>
          </button>
        ))}
      </div>
    </nav>
  );
}
