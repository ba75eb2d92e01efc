import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** A list of names and values. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Key figures, side by side. */
export function Figures({
  of,
}: {
  of: readonly {
    readonly name: string;
    readonly value: string;
    readonly note?: ReactNode;
    readonly bad?: boolean;
  }[];
}) {
  return (
    <dl className={styles.figures}>
      {of.map(({ name, value, note, bad = false }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={bad ? styles.bad : undefined}>{value}</dd>
          {note !== undefined && <dd className={styles.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
