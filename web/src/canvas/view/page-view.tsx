import type { PDFDocumentProxy } from 'pdfjs-dist';
import { memo, useLayoutEffect, useRef } from 'react';
import type { Overlay } from '#fill/package/layout-schema.ts';
import { overlaysOn } from '../../core/overlays/find-overlays.ts';
import { readingOrder } from '../../core/overlays/reading-order.ts';
import type { PlacedPage } from '../../core/pages/page-column.ts';
import { ProposalBoxes } from '../../detect/proposal-boxes.tsx';
import { type EditorState, useEditor } from '../../editor/editor-store.ts';
import styles from './canvas.module.css';
import { Guides } from './guides.tsx';
import { OverlayView } from './overlay-view.tsx';
import { PagePicture } from './page-picture.tsx';
import { RulerGuides } from './ruler-guides.tsx';
import { boxStyle } from './scaled-style.ts';
import { SelectionFrame } from './selection-frame.tsx';

interface Props {
  readonly page: PlacedPage;
  readonly pageCount: number;
  readonly pdf: PDFDocumentProxy | null;
  readonly isNear: boolean;
}

/**
 * Ids in reading order, joined to one string for comparison. Uses the order of the committed layout: elements that change
 * places during a drag would lose the focus.
 */
function overlayIds({ project, layout }: EditorState, page: number): string {
  if (project === null || layout === null) return '';
  const shown = new Set(overlaysOn(layout, page).map(({ id }) => id));
  const ordered = idsInOrder(overlaysOn(project.layout, page));
  return JSON.stringify([...new Set([...ordered, ...shown])].filter((id) => shown.has(id)));
}

const orders = new WeakMap<readonly Overlay[], readonly string[]>();

/** The lists of a layout are built once (find-overlays.ts), so their order is computed once. */
function idsInOrder(overlays: readonly Overlay[]): readonly string[] {
  const known = orders.get(overlays) ?? readingOrder(overlays).map(({ id }) => id);
  orders.set(overlays, known);
  return known;
}

export const PageView = memo(function PageView({ page, pageCount, pdf, isNear }: Props) {
  const list = useEditor((editor) => overlayIds(editor, page.number));
  const ids: readonly string[] = list === '' ? [] : JSON.parse(list);
  const layer = useRef<HTMLElement>(null);
  const focused = useRef<string | null>(null);
  // Reordering elements removes the focus from those that move, so it is restored here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a changed order can have taken it
  useLayoutEffect(() => {
    if (focused.current !== null && document.activeElement === document.body)
      document.getElementById(focused.current)?.focus({ preventScroll: true });
  }, [list]);
  return (
    <section
      ref={layer}
      className={styles.page}
      style={boxStyle(page)}
      data-page={page.number}
      aria-label={`Page ${page.number} of ${pageCount}`}
      onFocus={(event) => {
        focused.current = event.target.id;
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null) focused.current = null;
      }}
    >
      {isNear && <PagePicture page={page} pdf={pdf} />}
      <ProposalBoxes page={page.number} />
      {ids.map((id) => (
        <OverlayView key={id} id={id} />
      ))}
      <RulerGuides page={page.number} />
      <SelectionFrame page={page.number} />
      <Guides page={page.number} />
    </section>
  );
});
