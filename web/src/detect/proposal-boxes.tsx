import { useEffect, useRef } from 'react';
import { boxStyle } from '../canvas/view/scaled-style.ts';
import { rectsOf } from '../core/detect/proposal.ts';
import { activate, type ReviewItem, useDetect } from './detect-store.ts';
import styles from './review.module.css';

/** The proposed fields of a page as dashed boxes. The keyboard reaches them through the list. */
export function ProposalBoxes({ page }: { page: number }) {
  const items = useDetect((detect) => detect.items);
  if (items.length === 0) return null;
  return items
    .filter(({ proposal }) => proposal.page === page)
    .map((item) => <ItemBoxes key={item.id} item={item} />);
}

function ItemBoxes({ item }: { item: ReviewItem }) {
  const isActive = useDetect((detect) => detect.active === item.id);
  return rectsOf(item.proposal).map((rect) => (
    <ProposalBox key={`${rect.x} ${rect.y}`} item={item} isActive={isActive} style={boxStyle(rect)} />
  ));
}

function ProposalBox({
  item,
  isActive,
  style,
}: {
  item: ReviewItem;
  isActive: boolean;
  style: React.CSSProperties;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { id } = item;
  useEffect(() => {
    // A native listener: the canvas listens on the scroller, which React's own listeners come after.
    const element = box.current;
    const choose = (event: Event) => {
      if (document.querySelector('[data-tool]')?.getAttribute('data-tool') !== 'select') return;
      event.stopPropagation();
      event.preventDefault();
      document.querySelector<HTMLElement>(`[data-item="${id}"] [data-main]`)?.focus();
    };
    element?.addEventListener('pointerdown', choose);
    return () => element?.removeEventListener('pointerdown', choose);
  }, [id]);
  return (
    <div
      ref={box}
      aria-hidden="true"
      data-proposal={id}
      data-active={isActive}
      className={styles.proposal}
      style={style}
      onPointerEnter={() => activate(id)}
    />
  );
}
