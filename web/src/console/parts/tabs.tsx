import { type KeyboardEvent, useId } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { formatCount } from './format.ts';
import styles from './tabs.module.css';

interface Tab {
  readonly id: string;
  readonly name: string;
  readonly count?: number;
}

/** Views of one thing. Arrow keys move between them, as in every tab list. */
export function Tabs({
  label,
  tabs,
  current,
  onChoose,
}: {
  label: string;
  tabs: readonly Tab[];
  current: string;
  onChoose: (id: string) => void;
}) {
  const base = useId();
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const place = tabs.findIndex(({ id }) => id === current);
    const next = tabs[(place + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKey}>
      {tabs.map(({ id, name, count }) => (
        <button
          key={id}
          id={`${base}-${id}`}
          type="button"
          role="tab"
          aria-selected={id === current}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {name}
          {count !== undefined && count > 0 && <Badge tone="warn">{formatCount(count)}</Badge>}
        </button>
      ))}
    </div>
  );
}
