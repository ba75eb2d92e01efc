import { type KeyboardEvent, useMemo, useRef } from 'react';
import { goToPage } from '../canvas/commands/go-to-overlay.ts';
import { isTyping } from '../canvas/pointer-input.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useSingleKeys } from '../shell/single-keys.ts';
import { placeByKey } from '../ui/arrow-keys.ts';
import { Button } from '../ui/button.tsx';
import { acceptItems, rejectItems } from './accept-items.ts';
import { type ReviewItem, useDetect } from './detect-store.ts';
import styles from './review.module.css';
import { ReviewEntry } from './review-entry.tsx';
import { columnsOf } from './review-matches.ts';

/** A longer list shows only the entries of the pages in view; drawing thousands would block the canvas. */
const LONG = 300;
const NEAR = 1;

/** The proposed fields by page, to accept or reject one by one or together. */
export function ReviewPanel() {
  const items = useDetect((detect) => detect.items);
  const layout = useEditor((editor) => editor.project?.layout);
  const columnCount = useEditor((editor) => editor.rows?.columnCount ?? 0);
  const list = useRef<HTMLElement>(null);
  const columns = useMemo(
    () => (layout === undefined ? [] : columnsOf(items, layout, columnCount)),
    [items, layout, columnCount],
  );
  const shownPage = useEditor((editor) => editor.page);
  const isLong = items.length > LONG;
  const matched = items.filter((_, index) => columns[index] != null);
  const pages = [...Map.groupBy(items.entries(), ([, item]) => item.proposal.page)];
  return (
    <section
      ref={list}
      aria-label="Proposed fields"
      className={styles.review}
      onKeyDown={(event) => onKey(event, items)}
    >
      <header className={styles.head}>
        <h2>Proposed fields</h2>
        <p>
          {items.length} found, {matched.length} with a column. Nothing is added before you accept it.
        </p>
        <div className={styles.all}>
          <Button look="primary" onClick={() => acceptItems(items)}>
            Accept all ({items.length})
          </Button>
          <Button look="quiet" onClick={() => rejectItems(items)}>
            Reject all
          </Button>
          {matched.length > 0 && matched.length < items.length && (
            <Button onClick={() => acceptItems(matched)}>Accept matched ({matched.length})</Button>
          )}
        </div>
        <KeyHint />
      </header>
      {pages.map(([page, entries]) => (
        <section key={page} aria-label={`Proposed fields on page ${page}`} className={styles.page}>
          <h3>Page {page}</h3>
          {isLong && Math.abs(page - shownPage) > NEAR ? (
            <Button look="quiet" onClick={() => goToPage(page)}>
              Show {entries.length === 1 ? '1 field' : `${entries.length} fields`}
            </Button>
          ) : (
            <ul>
              {entries.map(([index, item]) => (
                <ReviewEntry key={item.id} item={item} match={columns[index] ?? null} />
              ))}
            </ul>
          )}
        </section>
      ))}
    </section>
  );
}

function KeyHint() {
  const isOn = useSingleKeys((keys) => keys.on);
  return (
    <p className={styles.keys}>
      <kbd>↑</kbd> <kbd>↓</kbd> move
      {isOn && (
        <>
          {' '}
          · <kbd>Y</kbd> accept · <kbd>N</kbd> reject
        </>
      )}
    </p>
  );
}

/** Arrow keys move among the entries; Y accepts and N or Delete rejects the one with the focus. */
function onKey(event: KeyboardEvent<HTMLElement>, items: readonly ReviewItem[]): void {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  const id = target.closest<HTMLElement>('[data-item]')?.dataset.item;
  const item = items.find((one) => one.id === id);
  if (item === undefined) return;
  const key = event.key.toLowerCase();
  const isSingle = useSingleKeys.getState().on;
  if (isSingle && key === 'y') acceptItems([item]);
  else if ((isSingle && key === 'n') || event.key === 'Delete') rejectItems([item]);
  else {
    if (!target.matches('[data-main]')) return;
    const mains = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-main]')];
    const next = placeByKey(event.key, 'down', mains.indexOf(target), mains.length);
    if (next === undefined) return;
    mains[next]?.focus();
  }
  event.preventDefault();
  event.stopPropagation();
}
