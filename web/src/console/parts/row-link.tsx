import type { ReactNode } from 'react';
import { Link } from '../../shell/link.tsx';
import styles from './row-link.module.css';

/** The link of a table row. A click anywhere on the row follows it. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles.link}>
      {children}
    </Link>
  );
}

/** Lifts buttons and links above the row link, so that they get their clicks. */
export function AboveRow({ children }: { children: ReactNode }) {
  return <span className={styles.above}>{children}</span>;
}

export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles.back}>
      ← {children}
    </Link>
  );
}
