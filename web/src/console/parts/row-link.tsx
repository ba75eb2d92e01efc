import type { ReactNode } from 'react';
import { Link } from '../../shell/link.tsx';
import styles from './row-link.module.css';

/** The link of a table row; the whole row takes the click. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles.link}>
      {children}
    </Link>
  );
}

/** Buttons and links beside a row link must stand above it. */
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
