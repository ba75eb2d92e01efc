import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { placeByKey } from '../../ui/arrow-keys.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatCount } from './format.ts';
import styles from './tabs.module.css';

interface Tab {
  readonly id: string;
  readonly name: string;
  readonly count?: number;
}

/** A tab list; `children` is the content of the current tab. Arrow keys move between tabs. */
export function Tabs({
  label,
  tabs,
  current,
  onChoose,
  children,
}: {
  label: string;
  tabs: readonly Tab[];
  current: string;
  onChoose: (id: string) => void;
  children: ReactNode;
}) {
  const base = useId();
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const place = tabs.findIndex(({ id }) => id === current);
    const next = tabs[placeByKey(event.key, 'across', place, tabs.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKey}>
        {tabs.map(({ id, name, count }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current}
            aria-controls={`${base}-panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {name} {count !== undefined && count > 0 && <Badge tone="warn">{formatCount(count)}</Badge>}
          </button>
        ))}
      </div>
      <div
        id={`${base}-panel`}
        role="tabpanel"
        aria-labelledby={`${base}-${current}`}
        className={styles.panel}
      >
        {children}
      </div>
    </>
  );
}
