import { Badge, EmptyState, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import styles from '../ui/line-list.module.css';
import type { LayoutChange } from './layout-changes.ts';

const TONES: Readonly<Record<LayoutChange['kind'], Tone>> = {
  added: 'good',
  removed: 'bad',
  moved: 'neutral',
  resized: 'neutral',
  remapped: 'accent',
  changed: 'neutral',
};

/** Differences between two layouts, one per line. With `onShow`, fields that exist have a button. */
export function ChangeList({
  changes,
  none,
  onShow,
}: {
  changes: readonly LayoutChange[];
  /** The text if there is none. */
  none: string;
  onShow?: (id: string) => void;
}) {
  if (changes.length === 0) return <EmptyState title="No changes">{none}</EmptyState>;
  return (
    <ul className={styles.list}>
      {changes.map(({ kind, id, text }) => (
        <li key={text} className={styles.line}>
          <span className={styles.text}>
            <Badge tone={TONES[kind]}>{kind}</Badge>
            {text}
          </span>
          {id !== null && onShow !== undefined && (
            <Button look="quiet" onClick={() => onShow(id)}>
              Show
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
