import { type ReactNode, useEffect, useRef } from 'react';
import { useArrival } from '../../shell/use-arrival.ts';
import styles from './page.module.css';

/** The frame of one console screen. */
export function Page({
  title,
  lead,
  actions,
  above,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** A back link above the heading. */
  above?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Rowpress`;
    return () => {
      document.title = 'Rowpress';
    };
  }, [title]);
  useArrival(() => heading.current);
  return (
    <div className={styles.page}>
      {above}
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1 ref={heading} className={styles.title}>
            {title}
          </h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A named part of a screen. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.sectionHead}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A box around related content. */
export function Card({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}
